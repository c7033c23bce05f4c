// Sum: any number of operands added up, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_sum(const Op&, std::span<const Shape> in) {
  auto out = broadcast_all(in);
  if (!out) return std::move(out).error();
  IndexedSum sum{*std::move(out), {}};
  for (std::size_t i = 0; i < in.size(); ++i) {
    Access read{static_cast<int>(i), broadcast_index(in[i], sum.out)};
    sum.terms.push_back({.coef = {}, .reduce = {}, .guards = {}, .factors = {std::move(read)}});
  }
  return Meaning{{}, std::move(sum)};
}

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
