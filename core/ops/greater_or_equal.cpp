// GreaterOrEqual: whether the first operand is no smaller than the second, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"
#include "core/ops/parts/truth.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_greater_or_equal(const Op&, std::span<const Shape> in) {
  return pointwise(not_smaller_function(), {}, in);
}

std::optional<std::int64_t> greater_or_equal_of_integers(std::span<const std::int64_t> x) {
  return x[0] >= x[1] ? 1 : 0;
}

}  // namespace

const OpDef& greater_or_equal() {
  static const OpDef def =
      comparison("GreaterOrEqual", "whether the first of two operands is no smaller, broadcast", 12,
                 lower_greater_or_equal, greater_or_equal_of_integers);
  return def;
}

}  // namespace pet::ops
