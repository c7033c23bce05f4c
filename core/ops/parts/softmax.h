// What Softmax and LogSoftmax share: a row is one axis, or (the form before operator set 13) all
// axes from `axis` on.
#pragma once

#include "core/ir/op.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {

// The largest element, and the sum of e^(x - largest), in which no exponential overflows.
RowState largest_and_sum(std::span<const double>, std::span<const Real> row);
inline constexpr RowText kLargestAndSumText = {{{Fold::Largest, "x"}, {Fold::Sum, "expf(x - r0)"}}};

// The attributes axis and to_end.
std::vector<AttrDef> softmax_attrs();
Result<Meaning> lower_softmax_by(const ElementFunction& function, const Op& op, const Shape& shape);
Imported softmax_form_from_onnx(const OpDef& def, const OnnxCall& call);
Result<OnnxEmitted> softmax_form_to_onnx(const Op& op, std::span<const Shape> in, int opset);
// A row of several axes is all axes from one on: no set of axes in another order.
std::optional<Op> rearranged_softmax(const Op& op, std::span<const std::size_t> order);

}  // namespace pet::ops
