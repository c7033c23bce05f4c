// ReduceMean: the mean over some axes.
#include "core/ops/ops.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

constexpr int kReduceMeanAxesAreAnOperandSince = 18;

Result<Meaning> lower_reduce_mean(const Op& op, std::span<const Shape> in) {
  return lower_reduction(op, in[0], Average::Yes);
}

Imported reduce_mean_from_onnx(const OnnxCall& call) {
  return reduction_from_onnx(reduce_mean(), call, kReduceMeanAxesAreAnOperandSince);
}

Result<OnnxEmitted> reduce_mean_to_onnx(const Op& op, std::span<const Shape>, int opset) {
  return emit_with_axes(op, opset, kReduceMeanAxesAreAnOperandSince);
}

}  // namespace

const OpDef& reduce_mean() {
  static const OpDef def{.name = "ReduceMean",
                         .summary = "mean over some axes",
                         .arity = {1, 1},
                         .attrs = reduction_attrs(),
                         .lower = lower_reduce_mean,
                         .from_onnx = reduce_mean_from_onnx,
                         .to_onnx = reduce_mean_to_onnx,
                         .rearranged = rearranged_reduction};
  return def;
}

}  // namespace pet::ops
