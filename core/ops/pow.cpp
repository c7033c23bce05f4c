// Pow: x^y, broadcast. Undefined for negative x under a fractional y and for 0 under a negative
// one.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kFunction{
    .name = "pow",
    .totality = Totality::Partial,
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) {
      if (std::isnan(x[0])) return x[0];  // also to the power of 0
      if (x[1] == 2) return x[0] * x[0];  // what most models ask for, far faster
      return std::pow(x[0], x[1]);
    }};

Result<Meaning> lower(const Op&, std::span<const Shape> in) { return pointwise(kFunction, {}, in); }

}  // namespace

const OpDef& pow() {
  static const OpDef def{.name = "Pow",
                         .summary = "first operand to the power of the second, broadcast",
                         .arity = {2, 2},
                         .attrs = {},
                         .lower = lower};
  return def;
}

}  // namespace pet::ops
