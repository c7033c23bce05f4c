// HardSigmoid: alpha·x + beta, within 0 and 1.
#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kHardSigmoid{
    .name = "hard_sigmoid",
    .totality = Totality::Total,
    .value = [](std::span<const double> p, const RowState&, std::span<const Real> x) {
      return std::clamp<Real>(static_cast<Real>(p[0]) * x[0] + static_cast<Real>(p[1]), 0, 1);
    }};

}  // namespace

const OpDef& hard_sigmoid() {
  static const OpDef def =
      elementwise<kHardSigmoid>("HardSigmoid", "alpha times x plus beta, within 0 and 1",
                                {{"alpha", static_cast<double>(0.2F), AttrRole::Parameter},
                                 {"beta", 0.5, AttrRole::Parameter}});
  return def;
}

}  // namespace pet::ops
