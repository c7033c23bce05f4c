// Equal: whether two operands of one type are equal, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"
#include "core/ops/parts/truth.h"

namespace pet::ops {
namespace {

const ElementFunction kEqual{
    .name = "equal",
    .totality = Totality::Total,
    .text = "x0 != x0 ? x0 : x1 != x1 ? x1 : x0 == x1 ? 1 : 0",
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) -> Real {
      return truth(x[0] == x[1], x);
    },
    .at_infinity = Finiteness::Finite,
    .jumps = Jumps::AtTies};

Result<Meaning> lower_equal(const Op&, std::span<const Shape> in) {
  return pointwise(kEqual, {}, in);
}

Result<DType> type_of_equal(const Op& op, std::span<const DType> operands) {
  if (operands[0] != operands[1] || !are_numbers(operands[0])) return not_defined_for_these(op);
  return DType::Bool;
}

std::optional<std::int64_t> equal_of_integers(std::span<const std::int64_t> x) {
  return x[0] == x[1] ? 1 : 0;
}

}  // namespace

const OpDef& equal() {
  static const OpDef def{.name = "Equal",
                         .summary = "whether two operands are equal, broadcast",
                         .arity = {2, 2},
                         .attrs = {},
                         .since = 11,  // of floats
                         .lower = lower_equal,
                         .element_type = type_of_equal,
                         .on_integers = equal_of_integers};
  return def;
}

}  // namespace pet::ops
