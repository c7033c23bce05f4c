// Not: whether the operand is false.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"
#include "core/ops/parts/truth.h"

namespace pet::ops {
namespace {

const ElementFunction kLogicalNot{
    .name = "logical_not",
    .totality = Totality::Total,
    .text = "x0 != x0 ? x0 : x0 == 0 ? 1 : 0",
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) -> Real {
      return truth(x[0] == 0, x);
    },
    .at_infinity = Finiteness::Finite};

Result<Meaning> lower_logical_not(const Op&, std::span<const Shape> in) {
  return pointwise(kLogicalNot, {}, in);
}

std::optional<std::int64_t> logical_not_of_integers(std::span<const std::int64_t> x) {
  return x[0] == 0 ? 1 : 0;
}

}  // namespace

const OpDef& logical_not() {
  static const OpDef def =
      logic("Not", "whether the operand is false", 1, lower_logical_not, logical_not_of_integers);
  return def;
}

}  // namespace pet::ops
