// Shrink: x moved towards 0 by bias where it is further from 0 than lambd, else 0.
#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kShrink{
    .name = "shrink",
    .totality = Totality::Total,
    .text = "x0 != x0 ? x0 : x0 < -p1 ? x0 + p0 : x0 > p1 ? x0 - p0 : 0",
    .value =
        [](std::span<const double> p, const RowState&, std::span<const Real> x) {
          const Real bias = static_cast<Real>(p[0]);
          const Real limit = static_cast<Real>(p[1]);
          if (std::isnan(x[0])) return x[0];
          if (x[0] < -limit) return x[0] + bias;
          return x[0] > limit ? x[0] - bias : Real{0};
        },
    .jumps = Jumps::AtNumbers};

}  // namespace

const OpDef& shrink() {
  static const OpDef def = elementwise<kShrink>(
      "Shrink", "x moved by bias towards 0 beyond lambd, 0 within",
      {{"bias", 0.0, AttrRole::Parameter}, {"lambd", 0.5, AttrRole::Parameter}}, 9);
  return def;
}

}  // namespace pet::ops
