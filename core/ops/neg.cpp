// Neg: −x.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_neg(const Op&, std::span<const Shape> in) {
  Term negative{.coef = {.scale = -1, .tables = {}},
                .reduce = {},
                .guards = {},
                .factors = {{0, identity_index(in[0])}}};
  return Meaning{{}, {in[0], {std::move(negative)}}};
}

}  // namespace

const OpDef& neg() {
  static const OpDef def{.name = "Neg",
                         .summary = "-x, element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_neg,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
