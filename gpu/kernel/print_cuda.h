// A kernel as text of CUDA C++. What it uses of CUDA is in dialect.h for other compilers.
#pragma once

#include <string>

#include "gpu/kernel/kernel.h"

namespace pet::gpu {

// How many blocks of how many threads it is started with.
struct Launch1D {
  Dim blocks = 0;
  int threads = 0;
};
Launch1D shape_of_launch(const Kernel& kernel);

// What all kernels of a file share; stands before them.
std::string cuda_prelude();
// extern "C" __global__ void NAME(const float* b0, ..., float* out)
std::string print_cuda(const Kernel& kernel, const std::string& name);

}  // namespace pet::gpu
