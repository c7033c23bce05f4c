// Xor: whether one of two operands is true and the other is not, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"
#include "core/ops/parts/truth.h"

namespace pet::ops {
namespace {

const ElementFunction kLogicalXor{
    .name = "logical_xor",
    .totality = Totality::Total,
    .text = "x0 != x0 ? x0 : x1 != x1 ? x1 : x0 != 0 && x1 == 0 || x0 == 0 && x1 != 0 ? 1 : 0",
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) -> Real {
      return truth((x[0] != 0) != (x[1] != 0), x);
    },
    .at_infinity = Finiteness::Finite};

Result<Meaning> lower_logical_xor(const Op&, std::span<const Shape> in) {
  return pointwise(kLogicalXor, {}, in);
}

std::optional<std::int64_t> logical_xor_of_integers(std::span<const std::int64_t> x) {
  return (x[0] != 0) != (x[1] != 0) ? 1 : 0;
}

}  // namespace

const OpDef& logical_xor() {
  static const OpDef def =
      logic("Xor", "whether one of two operands is true and the other is not, broadcast", 2,
            lower_logical_xor, logical_xor_of_integers);
  return def;
}

}  // namespace pet::ops
