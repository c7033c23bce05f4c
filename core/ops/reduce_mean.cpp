// ReduceMean: the mean over some axes.
#include "core/ops/ops.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_reduce_mean(const Op& op, std::span<const Shape> in) {
  return lower_reduction(op, in[0], Average::Yes);
}

}  // namespace

const OpDef& reduce_mean() {
  static const OpDef def =
      reduction_def<reduce_mean, kReducedAxesAreAnOperandSince, OfNoAxis::Itself>(
          "ReduceMean", "mean over some axes", lower_reduce_mean);
  return def;
}

}  // namespace pet::ops
