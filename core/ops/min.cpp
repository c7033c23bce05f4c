// Min: the smallest of any number of operands, broadcast.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

// What is no number stays none.
const ElementFunction kFunction{
    .name = "min",
    .totality = Totality::Total,
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) {
      Real smallest = x[0];
      for (const Real other : x) {
        if (std::isnan(other)) return other;
        if (other < smallest) smallest = other;
      }
      return smallest;
    }};

Result<Meaning> lower(const Op&, std::span<const Shape> in) { return pointwise(kFunction, {}, in); }

}  // namespace

const OpDef& min() {
  static const OpDef def{.name = "Min",
                         .summary = "smallest of any number of operands, broadcast",
                         .arity = {1, kAnyNumber},
                         .attrs = {},
                         .lower = lower,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
