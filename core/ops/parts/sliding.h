// The geometry that convolutions and pools share: a window sliding over the spatial axes (all but
// the first two).
#pragma once

#include <optional>
#include <vector>

#include "core/ir/op.h"

namespace pet::ops {

// Of a window's extents, strides, dilations and pads: what is computed from them stays below 2^63.
inline constexpr Dim kLargestAttribute = Dim{1} << 31;

struct SlidingAxis {
  Dim input = 0;
  Dim kernel = 1;
  Dim stride = 1;
  Dim dilation = 1;
  Dim pad_begin = 0;
  Dim pad_end = 0;
  Dim output = 0;
  bool lacks_last = false;  // a window that would start in the padding at the end was left out

  // The input position that output position `o` reads with tap `k`.
  IndexExpr read(const IndexExpr& o, const IndexExpr& k) const {
    return o * stride + k * dilation - pad_begin;
  }
};

enum class Rounding { Floor, Ceil };

// From the attributes kernel_shape, strides, dilations, pads (empty: ones, ones, zeros). `kernel`
// gives the extents.
Result<std::vector<SlidingAxis>> sliding_axes(const Op& op, const Shape& input,
                                              std::span<const Dim> kernel, Rounding rounding);

// The attributes of an ONNX node with auto_pad resolved into pads and every list written out;
// `kernel` where the node has no kernel_shape (a convolution takes it from its weight).
Result<Attrs> explicit_sliding_attrs(const OnnxCall& call, const Ints& kernel);

// The same for a pool, whose window is its attribute kernel_shape.
Result<Attrs> pool_attrs(const OnnxCall& call);

// A pool as ONNX writes it: refused where the operator set and the runtimes disagree about a last
// window that starts in the padding.
Result<OnnxEmitted> emit_pool(const Op& op, const Shape& input, int opset);

// `op` with all pads 0: the same wherever a zero read counts as much as padding did.
std::optional<Op> with_zero_pads(const Op& op, Padding);

}  // namespace pet::ops
