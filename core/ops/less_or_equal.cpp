// LessOrEqual: whether the first operand is no larger than the second, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/truth.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_less_or_equal(const Op&, std::span<const Shape> in) {
  return pointwise_reversed(not_smaller_function(), in);
}

std::optional<std::int64_t> less_or_equal_of_integers(std::span<const std::int64_t> x) {
  return x[0] <= x[1] ? 1 : 0;
}

}  // namespace

const OpDef& less_or_equal() {
  static const OpDef def =
      comparison("LessOrEqual", "whether the first of two operands is no larger, broadcast", 12,
                 lower_less_or_equal, less_or_equal_of_integers);
  return def;
}

}  // namespace pet::ops
