// Sum: any number of operands added up, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_sum(const Op&, std::span<const Shape> in) { return sum_of_operands(in, 1); }

}  // namespace

const OpDef& sum() {
  static const OpDef def{.name = "Sum",
                         .summary = "sum of any number of operands, broadcast",
                         .arity = {1, kAnyNumber},
                         .attrs = {},
                         .lower = lower_sum,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
