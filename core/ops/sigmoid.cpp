// Sigmoid: 1 / (1 + e^-x).
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_sigmoid(const Op&, std::span<const Shape> in) {
  return pointwise(sigmoid_function(), {}, in);
}

}  // namespace

const OpDef& sigmoid() {
  static const OpDef def{.name = "Sigmoid",
                         .summary = "1 / (1 + exp(-x)), element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_sigmoid,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
