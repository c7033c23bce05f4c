// Max: the largest of any number of operands, broadcast.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

// What is no number stays none.
const ElementFunction kFunction{
    .name = "max",
    .totality = Totality::Total,
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) {
      Real largest = x[0];
      for (const Real other : x) {
        if (std::isnan(other)) return other;
        if (other > largest) largest = other;
      }
      return largest;
    }};

Result<Meaning> lower(const Op&, std::span<const Shape> in) { return pointwise(kFunction, {}, in); }

}  // namespace

const OpDef& max() {
  static const OpDef def{.name = "Max",
                         .summary = "largest of any number of operands, broadcast",
                         .arity = {1, kAnyNumber},
                         .attrs = {},
                         .lower = lower,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
