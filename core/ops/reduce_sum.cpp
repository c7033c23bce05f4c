// ReduceSum: the sum over some axes.
#include "core/ops/ops.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

constexpr int kReduceSumAxesAreAnOperandSince = 13;

Result<Meaning> lower_reduce_sum(const Op& op, std::span<const Shape> in) {
  return lower_reduction(op, in[0], Average::No);
}

Imported reduce_sum_from_onnx(const OnnxCall& call) {
  return reduction_from_onnx(reduce_sum(), call, kReduceSumAxesAreAnOperandSince);
}

Result<OnnxEmitted> reduce_sum_to_onnx(const Op& op, std::span<const Shape>, int opset) {
  return emit_with_axes(op, opset, kReduceSumAxesAreAnOperandSince);
}

}  // namespace

const OpDef& reduce_sum() {
  static const OpDef def{.name = "ReduceSum",
                         .summary = "sum over some axes",
                         .arity = {1, 1},
                         .attrs = reduction_attrs(),
                         .lower = lower_reduce_sum,
                         .affine_in_sizes = with_any_attributes,
                         .from_onnx = reduce_sum_from_onnx,
                         .to_onnx = reduce_sum_to_onnx,
                         .rearranged = rearranged_reduction};
  return def;
}

}  // namespace pet::ops
