// The innermost loops of the products, one table for each instruction set. Private to this folder.
#pragma once

#include <array>
#include <cstdint>

#include "core/eval/kernels/panels.h"
#include "core/eval/kernels/prime.h"

namespace pet {

using ModularKernel = void (*)(const PrimeField&, const ProductTile<std::uint32_t>&);
using RealKernel = void (*)(const ProductTile<double>&);

// Entry r computes a tile of r + 1 rows.
using ModularKernels = std::array<ModularKernel, kPanelRows>;
using RealKernels = std::array<RealKernel, kPanelRows>;

extern const ModularKernels kModularAvx2;
extern const ModularKernels kModularAvx512;
extern const RealKernels kRealAvx2;
extern const RealKernels kRealAvx512;

}  // namespace pet
