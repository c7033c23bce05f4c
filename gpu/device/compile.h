// Text of CUDA C++ as machine code, by NVRTC. Needs no device.
#pragma once

#include <string>
#include <vector>

#include "gpu/device/libraries.h"

namespace pet::gpu {

struct MachineCode {
  std::vector<char> image;
  std::string log;  // what the compiler said, with registers and spills of every kernel
};

// `architecture`: 90 is sm_90. An Error holds the first line of the compiler's log, and where the
// source is kept: below the folder for temporary files.
Result<MachineCode> compile(const Libraries& lib, const std::string& text, int architecture);

}  // namespace pet::gpu
