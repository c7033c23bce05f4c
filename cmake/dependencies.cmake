# Every third-party library, by its Debian package:
#   fmt libfmt-dev · GMP libgmp-dev · libsodium libsodium-dev · JSON nlohmann-json3-dev ·
#   command line libcli11-dev · ONNX libonnx-dev + libprotobuf-dev · tests catch2
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Protobuf REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(GMPXX REQUIRED IMPORTED_TARGET gmpxx gmp)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)

find_path(ONNX_INCLUDE_DIR onnx/onnx_pb.h REQUIRED)
find_library(ONNX_LIBRARY onnx REQUIRED)
find_library(ONNX_PROTO_LIBRARY onnx_proto REQUIRED)
add_library(onnx_package INTERFACE)
target_include_directories(onnx_package SYSTEM INTERFACE ${ONNX_INCLUDE_DIR})
target_compile_definitions(onnx_package INTERFACE ONNX_ML=1 ONNX_NAMESPACE=onnx)
target_link_libraries(onnx_package INTERFACE ${ONNX_LIBRARY} ${ONNX_PROTO_LIBRARY} protobuf::libprotobuf)

# The window, where Qt is there: Debian's qt6-base-dev.
find_package(Qt6 6.4 QUIET COMPONENTS Widgets)
option(WITH_WORKBENCH "Build pet-workbench, which needs Qt 6" ${Qt6_FOUND})
if(WITH_WORKBENCH AND NOT Qt6_FOUND)
  message(FATAL_ERROR "pet-workbench needs Qt 6 (Debian: qt6-base-dev)")
endif()

find_program(Z3_PROGRAM z3)
