// LogSoftmax: x less the logarithm of the sum of e^x along a row.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/softmax.h"

namespace pet::ops {
namespace {

const ElementFunction kLogSoftmax{
    .name = "log_softmax",
    .totality = Totality::Total,
    .text = "x0 - r0 - logf(r1)",
    .row_text = kLargestAndSumText,
    .value = [](std::span<const double>, const RowState& row,
                std::span<const Real> x) { return x[0] - row.first - std::log(row.second); },
    .row = largest_and_sum};

Result<Meaning> lower_log_softmax(const Op& op, std::span<const Shape> in) {
  return lower_softmax_by(kLogSoftmax, op, in[0]);
}

Imported log_softmax_from_onnx(const OnnxCall& call) {
  return softmax_form_from_onnx(log_softmax(), call);
}

}  // namespace

const OpDef& log_softmax() {
  static const OpDef def{.name = "LogSoftmax",
                         .summary = "logarithms of the Softmax of a row",
                         .arity = {1, 1},
                         .attrs = softmax_attrs(),
                         .lower = lower_log_softmax,
                         .from_onnx = log_softmax_from_onnx,
                         .to_onnx = softmax_form_to_onnx,
                         .rearranged = rearranged_softmax};
  return def;
}

}  // namespace pet::ops
