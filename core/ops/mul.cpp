// Mul: a · b, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_mul(const Op&, std::span<const Shape> in) {
  auto out = broadcast_all(in);
  if (!out) return std::move(out).error();
  Term product{.coef = {},
               .reduce = {},
               .guards = {},
               .factors = {{0, broadcast_index(in[0], *out)}, {1, broadcast_index(in[1], *out)}}};
  return Meaning{{}, {*std::move(out), {std::move(product)}}};
}

}  // namespace

const OpDef& mul() {
  static const OpDef def{.name = "Mul",
                         .summary = "product of two operands, broadcast",
                         .arity = {2, 2},
                         .attrs = {},
                         .lower = lower_mul,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
