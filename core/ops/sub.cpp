// Sub: a − b, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_sub(const Op&, std::span<const Shape> in) {
  auto out = broadcast_all(in);
  if (!out) return std::move(out).error();
  const Term first{
      .coef = {}, .reduce = {}, .guards = {}, .factors = {{0, broadcast_index(in[0], *out)}}};
  const Term second{.coef = {.scale = -1, .tables = {}},
                    .reduce = {},
                    .guards = {},
                    .factors = {{1, broadcast_index(in[1], *out)}}};
  return Meaning{{}, {*std::move(out), {first, second}}};
}

}  // namespace

const OpDef& sub() {
  static const OpDef def{.name = "Sub",
                         .summary = "difference of two operands, broadcast",
                         .arity = {2, 2},
                         .attrs = {},
                         .lower = lower_sub,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
