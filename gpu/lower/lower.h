// From a program to launches. Everything is read off meanings: sums of products that a library has
// a form for (core/analysis/product.h) become convolutions and matrix products, with what is added
// to them and a rectifier behind them; all else becomes generated kernels, and what only moves
// elements is read through by whoever needs it.
#pragma once

#include "gpu/launch/plan.h"

namespace pet::gpu {

// None: every operator is a launch of its own, but those that move nothing.
enum class Fusion { None, All };

// What a library refuses is left to generated kernels: first what is added to a convolution, one
// step after the other, then the convolution. The launches' remarks say why. An Error of kind
// Unsupported names a value that is needed and has no meaning or holds no floats.
Result<Plan> lower(const Graph& graph, const ConvolutionRefusal& refusal = {},
                   Fusion fusion = Fusion::All);

}  // namespace pet::gpu
