// Softplus: log(1 + e^x).
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_softplus(const Op&, std::span<const Shape> in) {
  return pointwise(softplus_function(), {}, in);
}

}  // namespace

const OpDef& softplus() {
  static const OpDef def{.name = "Softplus",
                         .summary = "log(1 + e^x), element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_softplus,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
