// ReduceSum: the sum over some axes.
#include "core/ops/ops.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

constexpr int kAxesAreAnOperandSince = 13;

Result<Meaning> lower(const Op& op, std::span<const Shape> in) {
  return lower_reduction(op, in[0], Average::No);
}

Imported from_onnx(const OnnxCall& call) {
  return reduction_from_onnx(reduce_sum(), call, kAxesAreAnOperandSince);
}

Result<OnnxEmitted> to_onnx(const Op& op, std::span<const Shape>, int opset) {
  return emit_with_axes(op, opset, kAxesAreAnOperandSince);
}

}  // namespace

const OpDef& reduce_sum() {
  static const OpDef def{.name = "ReduceSum",
                         .summary = "sum over some axes",
                         .arity = {1, 1},
                         .attrs = reduction_attrs(),
                         .lower = lower,
                         .affine_in_sizes = with_any_attributes,
                         .from_onnx = from_onnx,
                         .to_onnx = to_onnx,
                         .rearranged = rearranged_reduction};
  return def;
}

}  // namespace pet::ops
