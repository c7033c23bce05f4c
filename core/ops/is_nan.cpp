// IsNaN: whether the operand is no number. Of real numbers none is, and of what is none no function
// makes one: it is asked by what guards itself against what floats do.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kIsNaN{
    .name = "is_nan",
    .totality = Totality::Total,
    .text = "x0 != x0 ? x0 : 0",
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) -> Real {
      return std::isnan(x[0]) ? x[0] : 0;
    },
    .at_infinity = Finiteness::Finite};

Result<Meaning> lower_is_nan(const Op&, std::span<const Shape> in) {
  return pointwise(kIsNaN, {}, in);
}

Result<DType> type_of_is_nan(const Op&, std::span<const DType> operands) {
  if (operands[0] == DType::Float) return DType::Bool;
  return Error{"IsNaN: defined for float operands only", ErrorKind::Unsupported};
}

}  // namespace

const OpDef& is_nan() {
  static const OpDef def{.name = "IsNaN",
                         .summary = "whether the operand is no number",
                         .arity = {1, 1},
                         .attrs = {},
                         .since = 9,
                         .lower = lower_is_nan,
                         .element_type = type_of_is_nan};
  return def;
}

}  // namespace pet::ops
