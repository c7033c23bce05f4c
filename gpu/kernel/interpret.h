// A kernel computed here, in floats and in the order in which its threads compute: the same bits as
// its text compiled for this machine.
#pragma once

#include "gpu/kernel/kernel.h"

namespace pet::gpu {

// Port: the buffers of a kernel.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual float read(int buffer, Dim offset) = 0;
  virtual void write(Dim offset, float value) = 0;
};

void interpret(const Kernel& kernel, Memory& memory);

}  // namespace pet::gpu
