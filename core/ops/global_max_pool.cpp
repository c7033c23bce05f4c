// GlobalMaxPool: the largest element over all spatial axes, which stay with extent 1.
#include "core/ops/ops.h"
#include "core/ops/parts/extreme.h"
#include "core/ops/parts/global_pool.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_global_max_pool(const Op& op, std::span<const Shape> in) {
  const auto spatial = spatial_axes(op, in[0]);
  if (!spatial) return spatial.error();
  auto over = reduction_over(in[0], *spatial, Reduced::KeptAsOne);
  if (count(over.extent) == 0)
    return Error{"GlobalMaxPool: the largest of no element", ErrorKind::Unsupported};
  return extreme_over(largest_function(), std::move(over));
}

std::optional<Op> rearranged_global_max_pool(const Op&, std::span<const std::size_t> order) {
  return over_spatial_axes(reduce_max(), order);
}

}  // namespace

const OpDef& global_max_pool() {
  static const OpDef def{.name = "GlobalMaxPool",
                         .summary = "largest element over all spatial axes",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_global_max_pool,
                         .rearranged = rearranged_global_max_pool};
  return def;
}

}  // namespace pet::ops
