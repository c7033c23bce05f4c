// Add: a + b, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_add(const Op&, std::span<const Shape> in) {
  auto out = broadcast_all(in);
  if (!out) return std::move(out).error();
  IndexedSum sum{*out, {}};
  for (int i = 0; i < 2; ++i) {
    const auto index = broadcast_index(in[static_cast<std::size_t>(i)], *out);
    sum.terms.push_back({.coef = {}, .reduce = {}, .guards = {}, .factors = {{i, index}}});
  }
  return Meaning{{}, std::move(sum)};
}

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
