// Sqrt: undefined for negative numbers.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kFunction{.name = "sqrt",
                                .totality = Totality::Partial,
                                .value = [](std::span<const double>, const RowState&,
                                            std::span<const Real> x) { return std::sqrt(x[0]); },
                                .enclose = [](std::span<const double>, std::span<const Interval> x,
                                              unsigned bits) { return square_root(x[0], bits); }};

Result<Meaning> lower(const Op&, std::span<const Shape> in) { return pointwise(kFunction, {}, in); }

}  // namespace

const OpDef& sqrt() {
  static const OpDef def{.name = "Sqrt",
                         .summary = "square root, element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower};
  return def;
}

}  // namespace pet::ops
