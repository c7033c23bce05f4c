// ReduceMin: the smallest element along some axes.
#include "core/ops/ops.h"
#include "core/ops/parts/extreme.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_reduce_min(const Op& op, std::span<const Shape> in) {
  auto over = reduction_of_some(op, in[0]);
  if (!over) return std::move(over).error();
  return extreme_over(smallest_function(), *std::move(over));
}

}  // namespace

const OpDef& reduce_min() {
  static const OpDef def =
      reduction_def<reduce_min, kReducedAxesAreAnOperandSince, OfNoAxis::Itself>(
          "ReduceMin", "smallest element along some axes", lower_reduce_min);
  return def;
}

}  // namespace pet::ops
