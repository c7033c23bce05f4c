// HardSigmoid: alpha·x + beta, within 0 and 1.
#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kHardSigmoid{
    .name = "hard_sigmoid",
    .totality = Totality::Total,
    .value =
        [](std::span<const double> p, const RowState&, std::span<const Real> x) {
          return std::clamp<Real>(static_cast<Real>(p[0]) * x[0] + static_cast<Real>(p[1]), 0, 1);
        },
    .bounded = true};

Result<Meaning> lower_hard_sigmoid(const Op& op, std::span<const Shape> in) {
  return pointwise(kHardSigmoid, {op.real("alpha"), op.real("beta")}, in);
}

}  // namespace

const OpDef& hard_sigmoid() {
  static const OpDef def{.name = "HardSigmoid",
                         .summary = "alpha times x plus beta, within 0 and 1",
                         .arity = {1, 1},
                         .attrs = {{"alpha", static_cast<double>(0.2F), AttrRole::Parameter},
                                   {"beta", 0.5, AttrRole::Parameter}},
                         .lower = lower_hard_sigmoid,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
