// LeakyRelu: x where x is positive, alpha·x elsewhere.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kLeakyRelu{
    .name = "leaky_relu",
    .totality = Totality::Total,
    .text = "x0 < 0 ? p0 * x0 : x0",
    .value = [](std::span<const double> p, const RowState&, std::span<const Real> x) {
      return x[0] < 0 ? static_cast<Real>(p[0]) * x[0] : x[0];
    }};

}  // namespace

const OpDef& leaky_relu() {
  static const OpDef def =
      elementwise<kLeakyRelu>("LeakyRelu", "x where positive, alpha times x elsewhere",
                              {{"alpha", static_cast<double>(0.01F), AttrRole::Parameter}});
  return def;
}

}  // namespace pet::ops
