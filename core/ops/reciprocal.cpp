// Reciprocal: 1/x.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_reciprocal(const Op&, std::span<const Shape> in) {
  return pointwise(reciprocal_function(), {}, in);
}

}  // namespace

const OpDef& reciprocal() {
  static const OpDef def{.name = "Reciprocal",
                         .summary = "1/x, element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_reciprocal};
  return def;
}

}  // namespace pet::ops
