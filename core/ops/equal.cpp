// Equal: whether two operands of one type are equal, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"
#include "core/ops/parts/truth.h"

namespace pet::ops {
namespace {

const ElementFunction kEqual{
    .name = "equal",
    .totality = Totality::Total,
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) -> Real {
      return x[0] == x[1] ? 1 : 0;
    },
    .bounded = true,
    .compares = true};

Result<Meaning> lower_equal(const Op&, std::span<const Shape> in) {
  return pointwise(kEqual, {}, in);
}

std::optional<std::int64_t> equal_of_integers(std::span<const std::int64_t> x) {
  return x[0] == x[1] ? 1 : 0;
}

}  // namespace

const OpDef& equal() {
  static const OpDef def = comparison("Equal", "whether two operands are equal, broadcast",
                                      lower_equal, equal_of_integers);
  return def;
}

}  // namespace pet::ops
