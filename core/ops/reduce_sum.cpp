// ReduceSum: the sum over some axes.
#include "core/ops/ops.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

constexpr int kReduceSumAxesAreAnOperandSince = 13;

Result<Meaning> lower_reduce_sum(const Op& op, std::span<const Shape> in) {
  return lower_reduction(op, in[0], Average::No);
}

}  // namespace

const OpDef& reduce_sum() {
  static const OpDef def =
      reduction_def<reduce_sum, kReduceSumAxesAreAnOperandSince, OfNoAxis::Itself>(
          "ReduceSum", "sum over some axes", lower_reduce_sum);
  return def;
}

}  // namespace pet::ops
