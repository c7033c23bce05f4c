// Add: a + b, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_add(const Op&, std::span<const Shape> in) { return sum_of_operands(in, 1); }

}  // namespace

const OpDef& add() {
  static const OpDef def{.name = "Add",
                         .summary = "sum of two operands, broadcast",
                         .arity = {2, 2},
                         .attrs = {},
                         .lower = lower_add,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
