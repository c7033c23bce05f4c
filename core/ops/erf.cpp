// Erf: the error function.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kErf{.name = "erf",
                           .totality = Totality::Total,
                           .value = [](std::span<const double>, const RowState&,
                                       std::span<const Real> x) { return std::erf(x[0]); },
                           .bounded = true};

Result<Meaning> lower_erf(const Op&, std::span<const Shape> in) { return pointwise(kErf, {}, in); }

}  // namespace

const OpDef& erf() {
  static const OpDef def{.name = "Erf",
                         .summary = "error function, element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_erf,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
