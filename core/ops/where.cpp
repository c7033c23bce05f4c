// Where: of each place the second operand's element where the first one is true, else the third's;
// broadcast. A function of three elements, not a sum by a mask: what is not chosen may be infinite,
// or no number.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"
#include "core/ops/parts/truth.h"

namespace pet::ops {
namespace {

const ElementFunction kWhere{
    .name = "where",
    .totality = Totality::Total,
    .text = "x0 != x0 ? x0 : x0 != 0 ? x1 : x2",
    .value =
        [](std::span<const double>, const RowState&, std::span<const Real> x) {
          if (std::isnan(x[0])) return x[0];
          return x[0] != 0 ? x[1] : x[2];
        },
    .at_infinity = Finiteness::MaybeInfinite};

Result<Meaning> lower_where(const Op&, std::span<const Shape> in) {
  return pointwise(kWhere, {}, in);
}

Result<DType> type_of_where(const Op& op, std::span<const DType> operands) {
  if (operands[0] == DType::Bool && operands[1] == operands[2] && are_numbers(operands[1]))
    return operands[1];
  return not_defined_for_these(op);
}

std::optional<std::int64_t> chosen(std::span<const std::int64_t> x) {
  return x[0] != 0 ? x[1] : x[2];
}

}  // namespace

const OpDef& where() {
  static const OpDef def{.name = "Where",
                         .summary = "elements of one operand or another, as a condition chooses",
                         .arity = {3, 3},
                         .attrs = {},
                         .since = 9,
                         .lower = lower_where,
                         .element_type = type_of_where,
                         .on_integers = chosen};
  return def;
}

}  // namespace pet::ops
