# Most of what is left of a compiler's time goes into our own headers, read anew for every source: so the sources of a library
# or program are compiled several at a time, which takes a third of the time. Names without linkage then meet: where two
# sources rightly use the same one, or a class keeps a member of such a type, one of them says so by pet_compiled_alone.
# Each still compiles on its own (./check --full builds so once).
option(PET_UNITY "Compile the sources of a library or program several at a time" ON)
set(CMAKE_UNITY_BUILD ${PET_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)

# pet_compiled_alone(SOURCE...): of the current folder.
function(pet_compiled_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
