// LeakyRelu: x where x is positive, alpha·x elsewhere.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kLeakyRelu{
    .name = "leaky_relu",
    .totality = Totality::Total,
    .value = [](std::span<const double> p, const RowState&, std::span<const Real> x) {
      return x[0] < 0 ? static_cast<Real>(p[0]) * x[0] : x[0];
    }};

Result<Meaning> lower_leaky_relu(const Op& op, std::span<const Shape> in) {
  return pointwise(kLeakyRelu, {op.real("alpha")}, in);
}

}  // namespace

const OpDef& leaky_relu() {
  static const OpDef def{.name = "LeakyRelu",
                         .summary = "x where positive, alpha times x elsewhere",
                         .arity = {1, 1},
                         .attrs = {{"alpha", static_cast<double>(0.01F), AttrRole::Parameter}},
                         .lower = lower_leaky_relu,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
