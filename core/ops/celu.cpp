// Celu: max(0, x) + min(0, alpha·(e^(x/alpha) - 1)).
#include <algorithm>
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kCelu{
    .name = "celu",
    .totality = Totality::Total,
    .text = "x0 != x0 ? x0 : fmaxf(x0, 0) + fminf(p0 * expm1f(x0 / p0), 0)",
    .value = [](std::span<const double> p, const RowState&, std::span<const Real> x) {
      const Real alpha = static_cast<Real>(p[0]);
      if (std::isnan(x[0])) return x[0];
      return std::max<Real>(x[0], 0) + std::min<Real>(alpha * std::expm1(x[0] / alpha), 0);
    }};

Result<Meaning> lower_celu(const Op& op, std::span<const Shape> in) {
  if (op.real("alpha") == 0)
    return Error{"Celu: alpha is 0, by which x is divided", ErrorKind::Unsupported};
  return pointwise(kCelu, {op.real("alpha")}, in);
}

}  // namespace

const OpDef& celu() {
  static const OpDef def{.name = "Celu",
                         .summary = "x where positive, alpha times e^(x / alpha) - 1 elsewhere",
                         .arity = {1, 1},
                         .attrs = {{"alpha", 1.0, AttrRole::Parameter}},
                         .since = 12,
                         .lower = lower_celu,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
