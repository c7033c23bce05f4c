// Mean: the mean of any number of operands, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_mean(const Op&, std::span<const Shape> in) {
  return sum_of_operands(in, ratio(1, static_cast<long>(in.size())));
}

}  // namespace

const OpDef& mean() {
  static const OpDef def{.name = "Mean",
                         .summary = "mean of any number of operands, broadcast",
                         .arity = {1, kAnyNumber},
                         .attrs = {},
                         .lower = lower_mean,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
