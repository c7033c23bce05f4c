// NVIDIA's libraries, found when the program runs: each is there or it is not, and why.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/util/result.h"

namespace pet::gpu {

// Handles, as the libraries have them.
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;
using DeviceGraph = struct DeviceGraphTag*;
using GraphExec = struct GraphExecTag*;
using RuntimeProgram = struct RuntimeProgramTag*;
using BlasHandle = struct BlasHandleTag*;
using BlasObject = struct BlasObjectTag*;
using DnnHandle = struct DnnHandleTag*;
using DnnDescriptor = void*;
using Address = unsigned long long;

struct MatmulAlgorithm {
  std::array<std::uint64_t, 8> data{};
};
struct MatmulHeuristic {
  MatmulAlgorithm algorithm;
  std::size_t workspace = 0;
  int state = 0;
  float waves = 0;
  std::array<int, 4> reserved{};
};

struct Libraries {
#define LIBRARY(name, files) std::string name##_missing; /* why; empty: it is there */
#define FUNCTION(library, result, name, parameters) result(*name) parameters = nullptr;
#include "gpu/device/libraries.def"
#undef LIBRARY
#undef FUNCTION

  // All of them, or an Error that says what is missing and what to set.
  Status complete() const;
};

// Looked for in $PET_CUDA_LIBRARIES (folders, by colons), where the loader looks,
// /usr/local/cuda*/lib*, and nvidia/*/lib below the site-packages of python3. Once a process.
const Libraries& libraries();

// Of several names of a library's file, by spaces, the first that is there; null, and why.
void* open_library(const std::string& files, std::string& why);

// Of the driver, in words.
Error driver_error(const Libraries& lib, int code, const std::string& doing);
// The Error of a call that failed.
#define PET_DRIVER(lib, call, doing)                           \
  if (const int pet_code = (lib).call; pet_code != 0) {        \
    return ::pet::gpu::driver_error((lib), pet_code, (doing)); \
  }

}  // namespace pet::gpu
