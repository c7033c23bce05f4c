// GlobalAveragePool: the mean over all spatial axes, which stay with extent 1.
#include "core/ops/ops.h"
#include "core/ops/parts/global_pool.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_global_average_pool(const Op& op, std::span<const Shape> in) {
  const auto spatial = spatial_axes(op, in[0]);
  if (!spatial) return spatial.error();
  return sum_over("GlobalAveragePool", in[0], *spatial, Average::Yes, Reduced::KeptAsOne);
}

std::optional<Op> rearranged_global_average_pool(const Op&, std::span<const std::size_t> order) {
  return over_spatial_axes(reduce_mean(), order);
}

}  // namespace

const OpDef& global_average_pool() {
  static const OpDef def{.name = "GlobalAveragePool",
                         .summary = "mean over all spatial axes",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_global_average_pool,
                         .affine_in_sizes = with_any_attributes,
                         .rearranged = rearranged_global_average_pool};
  return def;
}

}  // namespace pet::ops
