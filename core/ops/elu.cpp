// Elu: x where x is positive, alpha·(e^x - 1) elsewhere.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kElu{
    .name = "elu",
    .totality = Totality::Total,
    .value = [](std::span<const double> p, const RowState&, std::span<const Real> x) {
      return x[0] < 0 ? static_cast<Real>(p[0]) * std::expm1(x[0]) : x[0];
    }};

Result<Meaning> lower_elu(const Op& op, std::span<const Shape> in) {
  return pointwise(kElu, {op.real("alpha")}, in);
}

}  // namespace

const OpDef& elu() {
  static const OpDef def{.name = "Elu",
                         .summary = "x where positive, alpha times e^x - 1 elsewhere",
                         .arity = {1, 1},
                         .attrs = {{"alpha", 1.0, AttrRole::Parameter}},
                         .lower = lower_elu,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
