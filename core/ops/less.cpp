// Less: whether the first operand is the smaller one, broadcast.
#include "core/ops/ops.h"
#include "core/ops/parts/truth.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_less(const Op&, std::span<const Shape> in) {
  return pointwise_reversed(larger_function(), in);
}

std::optional<std::int64_t> less_of_integers(std::span<const std::int64_t> x) {
  return x[0] < x[1] ? 1 : 0;
}

}  // namespace

const OpDef& less() {
  static const OpDef def =
      comparison("Less", "whether the first of two operands is the smaller one, broadcast", 1,
                 lower_less, less_of_integers);
  return def;
}

}  // namespace pet::ops
