// GlobalAveragePool: the mean over all spatial axes, which stay with extent 1.
#include <fmt/format.h>

#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/rearranged.h"
#include "core/ops/parts/reduction.h"
#include "core/util/check.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_global_average_pool(const Op&, std::span<const Shape> in) {
  if (in[0].size() < 3)
    return Error{fmt::format("GlobalAveragePool: {} has no spatial axis", to_string(in[0]))};
  Ints spatial(in[0].size() - 2);
  std::iota(spatial.begin(), spatial.end(), 2);
  return sum_over("GlobalAveragePool", in[0], spatial, Average::Yes, Reduced::KeptAsOne);
}

std::optional<Op> rearranged_global_average_pool(const Op&, std::span<const std::size_t> order) {
  Ints spatial(order.size() - 2);
  std::iota(spatial.begin(), spatial.end(), 2);
  auto mean = make_op(reduce_mean(), Attrs{{"axes", new_places(spatial, order)}});
  PET_CHECK(mean.ok(), "these are attributes of ReduceMean");
  return *std::move(mean);
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
