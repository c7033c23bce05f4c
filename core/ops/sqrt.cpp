// Sqrt: undefined for negative numbers.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_sqrt(const Op&, std::span<const Shape> in) {
  return pointwise(square_root_function(), {}, in);
}

}  // namespace

const OpDef& sqrt() {
  static const OpDef def{.name = "Sqrt",
                         .summary = "square root, element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_sqrt};
  return def;
}

}  // namespace pet::ops
