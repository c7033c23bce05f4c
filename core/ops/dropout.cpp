// Dropout at inference: the operand itself. What is trained, and the mask, are not interpreted.
#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_dropout(const Op&, std::span<const Shape> in) {
  return Meaning{{}, read_in_place(0, in[0])};
}

constexpr int kRatioIsAnOperandSince = 12;

// What the ratio is says nothing here.
Imported dropout_from_onnx(const OnnxCall& call) {
  constexpr std::size_t kTrainingMode = 2;
  const auto* attribute = call.opset < kRatioIsAnOperandSince ? "ratio" : "seed";
  if (auto known = only_attributes(call, {attribute}); !known) return std::move(known).error();
  if (call.has(kTrainingMode))
    return Error{"Dropout: the training form is not interpreted", ErrorKind::Unsupported};
  return one_result(dropout(), {}, {std::size_t{0}});
}

}  // namespace

const OpDef& dropout() {
  static const OpDef def{.name = "Dropout",
                         .summary = "the operand itself, which training would thin out",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_dropout,
                         .affine_in_sizes = with_any_attributes,
                         .from_onnx = dropout_from_onnx};
  return def;
}

}  // namespace pet::ops
