// GlobalAveragePool: the mean over all spatial axes, which stay with extent 1.
#include <fmt/format.h>

#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

Result<Meaning> lower(const Op&, std::span<const Shape> in) {
  if (in[0].size() < 3)
    return Error{fmt::format("GlobalAveragePool: {} has no spatial axis", to_string(in[0]))};
  Ints spatial(in[0].size() - 2);
  std::iota(spatial.begin(), spatial.end(), 2);
  return sum_over("GlobalAveragePool", in[0], spatial, Average::Yes, Reduced::KeptAsOne);
}

}  // namespace

const OpDef& global_average_pool() {
  static const OpDef def{.name = "GlobalAveragePool",
                         .summary = "mean over all spatial axes",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower};
  return def;
}

}  // namespace pet::ops
