// ThresholdedRelu: x above alpha, 0 elsewhere.
#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kThresholdedRelu{
    .name = "thresholded_relu",
    .totality = Totality::Total,
    .text = "x0 <= p0 ? 0 : x0",
    .value =
        [](std::span<const double> p, const RowState&, std::span<const Real> x) {
          return x[0] <= static_cast<Real>(p[0]) ? Real{0} : x[0];
        },
    .jumps = Jumps::AtNumbers};

}  // namespace

const OpDef& thresholded_relu() {
  static const OpDef def =
      elementwise<kThresholdedRelu>("ThresholdedRelu", "x where it is above alpha, 0 elsewhere",
                                    {{"alpha", 1.0, AttrRole::Parameter}}, 10);
  return def;
}

}  // namespace pet::ops
