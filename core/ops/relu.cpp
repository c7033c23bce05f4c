// Relu: max(x, 0).
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower(const Op&, std::span<const Shape> in) {
  return pointwise(relu_function(), {}, in);
}

}  // namespace

const OpDef& relu() {
  static const OpDef def{.name = "Relu",
                         .summary = "max(x, 0), element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
