// Greater: whether the first operand is the larger one, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"
#include "core/ops/parts/truth.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_greater(const Op&, std::span<const Shape> in) {
  return pointwise(larger_function(), {}, in);
}

std::optional<std::int64_t> greater_of_integers(std::span<const std::int64_t> x) {
  return x[0] > x[1] ? 1 : 0;
}

}  // namespace

const OpDef& greater() {
  static const OpDef def =
      comparison("Greater", "whether the first of two operands is the larger one, broadcast", 1,
                 lower_greater, greater_of_integers);
  return def;
}

}  // namespace pet::ops
