# Everything of ours compiles with these; third-party headers are included as SYSTEM.
option(PET_WARNINGS_AS_ERRORS "Treat warnings as errors" OFF)
set(PET_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize= has them: address,undefined or thread")

add_library(pet_warnings INTERFACE)
target_compile_options(pet_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor
  -Wold-style-cast -Wswitch -Werror=switch
  $<$<BOOL:${PET_WARNINGS_AS_ERRORS}>:-Werror>)

if(PET_SANITIZE)
  # GCC's own manual warns of false alarms of this warning in instrumented code; the library's headers give some.
  target_compile_options(pet_warnings INTERFACE -Wno-maybe-uninitialized)
  add_compile_options(-fsanitize=${PET_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PET_SANITIZE})
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Without these ccache gives up on every file that uses a precompiled header; __TIME__ and __DATE__ are used nowhere.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

# One library of the project: pet_library(NAME SOURCES ... LINK ... [SYSTEM_LINK ...]).
# Sources are listed, never globbed; headers are found from the repository root.
function(pet_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE ${ARG_PRIVATE_LINK} pet_warnings)
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${ARG_LINK})
  endif()
endfunction()
