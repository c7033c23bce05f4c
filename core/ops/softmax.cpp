// Softmax: e^x over the sum of e^x along a row. A row is one axis, or (the form before operator set
// 13) all axes from `axis` on.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/rearranged.h"
#include "core/ops/parts/row.h"

namespace pet::ops {
namespace {

// Shifted by the largest element, so that no exponential overflows.
RowState largest_and_sum(std::span<const double>, std::span<const Real> row) {
  if (row.empty()) return {};
  const Real largest = *std::max_element(row.begin(), row.end());
  Real sum = 0;
  for (const Real x : row) sum += std::exp(x - largest);
  return {largest, sum};
}

const ElementFunction kSoftmax{
    .name = "softmax",
    .totality = Totality::Total,
    .value = [](std::span<const double>, const RowState& row,
                std::span<const Real> x) { return std::exp(x[0] - row.first) / row.second; },
    .row = largest_and_sum,
    .bounded = true};

Result<Meaning> lower_softmax(const Op& op, std::span<const Shape> in) {
  const auto axis = normal_axis("Softmax", op.integer("axis"), in[0].size());
  if (!axis) return axis.error();
  const bool to_end = op.integer("to_end") != 0;
  Ints row(to_end ? in[0].size() - static_cast<std::size_t>(*axis) : 1);
  std::iota(row.begin(), row.end(), *axis);
  return Meaning{{along_rows(kSoftmax, {}, in[0], row)}, read_in_place(1, in[0])};
}

constexpr int kOneAxisSince = 13;

Imported softmax_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"axis"}); !known) return std::move(known).error();
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  const auto given = integer_or(call, "axis", call.opset < kOneAxisSince ? 1 : -1);
  if (!given) return given.error();
  const auto axis = normal_axis("Softmax", *given, shape->rank());
  if (!axis) return axis.error();
  const bool is_last = *axis + 1 == static_cast<Dim>(shape->rank());
  const std::int64_t to_end = call.opset < kOneAxisSince && !is_last ? 1 : 0;
  return one_result(softmax(), Attrs{{"axis", *axis}, {"to_end", to_end}}, {std::size_t{0}});
}

Result<OnnxEmitted> softmax_to_onnx(const Op& op, std::span<const Shape> in, int opset) {
  const auto axis = normal_axis("Softmax", op.integer("axis"), in[0].size());
  if (!axis) return axis.error();
  const bool to_end = op.integer("to_end") != 0;
  const bool is_last = *axis + 1 == static_cast<Dim>(in[0].size());  // both forms mean the same
  if (!is_last && to_end && opset >= kOneAxisSince)
    return not_in_opset(op, "to_end", opset, "a row is one axis there");
  if (!is_last && !to_end && opset < kOneAxisSince)
    return not_in_opset(op, "axis", opset, "a row is all axes from there on");
  return OnnxEmitted{"Softmax", Attrs{{"axis", *axis}}, {std::size_t{0}}};
}

// A row of several axes is all axes from one on: no set of axes in another order.
std::optional<Op> rearranged_softmax(const Op& op, std::span<const std::size_t> order) {
  if (op.integer("to_end") != 0) return std::nullopt;
  Op out = op;
  out.attrs.set("axis", new_place(op.integer("axis"), order));
  return out;
}

}  // namespace

const OpDef& softmax() {
  static const OpDef def{.name = "Softmax",
                         .summary = "exponentials of a row, scaled to add up to 1",
                         .arity = {1, 1},
                         .attrs = {{"axis", std::int64_t{-1}}, {"to_end", std::int64_t{0}}},
                         .lower = lower_softmax,
                         .from_onnx = softmax_from_onnx,
                         .to_onnx = softmax_to_onnx,
                         .rearranged = rearranged_softmax};
  return def;
}

}  // namespace pet::ops
