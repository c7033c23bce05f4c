// Selu: gamma times x where x is positive, and times alpha·(e^x - 1) elsewhere.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kSelu{
    .name = "selu",
    .totality = Totality::Total,
    .text = "p1 * (x0 > 0 ? x0 : p0 * expm1f(x0))",
    .value = [](std::span<const double> p, const RowState&, std::span<const Real> x) {
      const Real value = x[0] > 0 ? x[0] : static_cast<Real>(p[0]) * std::expm1(x[0]);
      return static_cast<Real>(p[1]) * value;
    }};

}  // namespace

const OpDef& selu() {
  static const OpDef def =
      elementwise<kSelu>("Selu", "gamma times x where positive, times alpha (e^x - 1) elsewhere",
                         {{"alpha", 1.67326319217681884765625, AttrRole::Parameter},
                          {"gamma", 1.05070102214813232421875, AttrRole::Parameter}});
  return def;
}

}  // namespace pet::ops
