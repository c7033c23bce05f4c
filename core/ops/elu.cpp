// Elu: x where x is positive, alpha·(e^x - 1) elsewhere.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kElu{
    .name = "elu",
    .totality = Totality::Total,
    .text = "x0 < 0 ? p0 * expm1f(x0) : x0",
    .value = [](std::span<const double> p, const RowState&, std::span<const Real> x) {
      return x[0] < 0 ? static_cast<Real>(p[0]) * std::expm1(x[0]) : x[0];
    }};

}  // namespace

const OpDef& elu() {
  static const OpDef def =
      elementwise<kElu>("Elu", "x where positive, alpha times e^x - 1 elsewhere",
                        {{"alpha", 1.0, AttrRole::Parameter}});
  return def;
}

}  // namespace pet::ops
