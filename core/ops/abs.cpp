// Abs: |x|.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_abs(const Op&, std::span<const Shape> in) {
  return pointwise(absolute_function(), {}, in);
}

}  // namespace

const OpDef& abs() {
  static const OpDef def{.name = "Abs",
                         .summary = "x without its sign, element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_abs,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
