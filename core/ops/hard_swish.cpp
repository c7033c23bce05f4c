// HardSwish: x times a ramp from 0 at -3 to 1 at 3.
#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kHardSwish{
    .name = "hard_swish",
    .totality = Totality::Total,
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) {
      return x[0] * std::clamp<Real>(x[0] / 6 + Real{0.5}, 0, 1);
    }};

Result<Meaning> lower_hard_swish(const Op&, std::span<const Shape> in) {
  return pointwise(kHardSwish, {}, in);
}

}  // namespace

const OpDef& hard_swish() {
  static const OpDef def{.name = "HardSwish",
                         .summary = "x times x / 6 + 1/2 within 0 and 1, element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .since = 14,
                         .lower = lower_hard_swish,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
