// Exp: e^x.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kExp{.name = "exp",
                           .totality = Totality::Total,
                           .value = [](std::span<const double>, const RowState&,
                                       std::span<const Real> x) { return std::exp(x[0]); }};

Result<Meaning> lower_exp(const Op&, std::span<const Shape> in) { return pointwise(kExp, {}, in); }

}  // namespace

const OpDef& exp() {
  static const OpDef def{.name = "Exp",
                         .summary = "exponential, element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_exp,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
