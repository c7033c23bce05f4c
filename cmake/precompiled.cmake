# Most of a compiler's time here goes into the same headers of the standard library, fmt and GMP, and of Catch2 in tests.
# They are precompiled twice, with and without Catch2. Only headers that are not ours, so that nothing is built again because
# another header of ours changed; and every file still includes what it uses (./check --full builds without them once).
option(PET_PRECOMPILE "Precompile the headers of libraries" ON)
if(NOT PET_PRECOMPILE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  return()
endif()

set(PET_STANDARD_HEADERS
  <algorithm> <array> <cmath> <cstdint> <filesystem> <fstream> <functional> <limits> <map> <memory> <numeric> <optional>
  <set> <span> <stop_token> <string> <string_view> <utility> <variant> <vector> <fmt/format.h> <gmpxx.h>)

# With the heap that it starts with GCC collects garbage all the time; -fpch-preprocess is what ccache asks for.
# Instrumented code, read precompiled, gives false alarms in the library's own std::string: for these warnings there is the
# release build, where single files read nothing precompiled because of them.
set(PET_PRECOMPILED_FLAGS -fpch-preprocess --param=ggc-min-heapsize=400000)
if(PET_SANITIZE)
  list(APPEND PET_PRECOMPILED_FLAGS
    -Wno-array-bounds -Wno-dangling-pointer -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
endif()

function(pet_targets_below directory result)
  get_property(found DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(folders DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(folder ${folders})
    pet_targets_below(${folder} below)
    list(APPEND found ${below})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# pet_precompile(OWNER owner HEADERS ... BELOW folder...): the owner's precompiled headers serve every program and library
# below the folders.
function(pet_precompile)
  cmake_parse_arguments(ARG "" "OWNER" "HEADERS;BELOW" ${ARGN})
  target_precompile_headers(${ARG_OWNER} PRIVATE ${ARG_HEADERS})
  target_compile_options(${ARG_OWNER} PRIVATE "${PET_PRECOMPILED_FLAGS}")
  foreach(folder ${ARG_BELOW})
    pet_targets_below(${PROJECT_SOURCE_DIR}/${folder} targets)
    foreach(target ${targets})
      get_target_property(type ${target} TYPE)
      get_target_property(is_qt ${target} PET_QT)  # compiled with flags of its own; it precompiles what it needs
      if(type MATCHES "^(STATIC_LIBRARY|EXECUTABLE)$" AND NOT target STREQUAL ARG_OWNER AND NOT is_qt)
        target_precompile_headers(${target} REUSE_FROM ${ARG_OWNER})
        target_compile_options(${target} PRIVATE "${PET_PRECOMPILED_FLAGS}")
      endif()
    endforeach()
  endforeach()
endfunction()

pet_precompile(OWNER core_util HEADERS ${PET_STANDARD_HEADERS} BELOW core gpu verify viz datasets app)
if(BUILD_TESTING)
  pet_precompile(OWNER test_support HEADERS ${PET_STANDARD_HEADERS} <catch2/catch.hpp> BELOW tests)
endif()
