// Tanh: the hyperbolic tangent.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_tanh(const Op&, std::span<const Shape> in) {
  return pointwise(tanh_function(), {}, in);
}

}  // namespace

const OpDef& tanh() {
  static const OpDef def{.name = "Tanh",
                         .summary = "hyperbolic tangent, element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_tanh,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
