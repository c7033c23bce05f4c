// The geometry of a transposed convolution along one axis.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/meaning.h"
#include "core/ops/parts/sliding.h"

namespace pet::ops {

// The output positions o with one remainder by the stride: which taps k they read, those with
// o + pad − k·dilation divisible by the stride, and which input position each of them meets. Where
// either lies outside its tensor the product is 0.
struct Phase {
  Dim taps = 0;  // how many there are; j counts them
  IndexExpr input;
  IndexExpr tap;
  std::vector<Guard> guards;
};

// All phases that read anything. Unsupported where there are too many. REQUIRES: positive extents,
// stride and dilation
Result<std::vector<Phase>> phases(const SlidingAxis& axis, const IndexExpr& o, const IndexExpr& j);

// How far the taps reach without pads; nullopt: nowhere, or too far for any tensor. REQUIRES:
// positive stride and dilation
std::optional<Dim> transposed_extent(Dim input, Dim stride, Dim dilation, Dim kernel,
                                     Dim output_padding);

}  // namespace pet::ops
