#include "core/ops/parts/softmax.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ops/parts/rearranged.h"
#include "core/ops/parts/row.h"

namespace pet::ops {
namespace {

constexpr int kOneAxisSince = 13;

}  // namespace

RowState largest_and_sum(std::span<const double>, std::span<const Real> row) {
  if (row.empty()) return {};
  const Real largest = *std::max_element(row.begin(), row.end());
  Real sum = 0;
  for (const Real x : row) sum += std::exp(x - largest);
  return {largest, sum};
}

std::vector<AttrDef> softmax_attrs() {
  return {{"axis", std::int64_t{-1}}, {"to_end", std::int64_t{0}}};
}

Result<Meaning> lower_softmax_by(const ElementFunction& function, const Op& op,
                                 const Shape& shape) {
  const auto axis = normal_axis(op.def->name, op.integer("axis"), shape.size());
  if (!axis) return axis.error();
  const bool to_end = op.integer("to_end") != 0;
  Ints row(to_end ? shape.size() - static_cast<std::size_t>(*axis) : 1);
  std::iota(row.begin(), row.end(), *axis);
  return Meaning{{along_rows(function, {}, shape, row)}, read_in_place(1, shape)};
}

Imported softmax_form_from_onnx(const OpDef& def, const OnnxCall& call) {
  if (auto known = only_attributes(call, {"axis"}); !known) return std::move(known).error();
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  const auto given = integer_or(call, "axis", call.opset < kOneAxisSince ? 1 : -1);
  if (!given) return given.error();
  const auto axis = normal_axis(def.name, *given, shape->rank());
  if (!axis) return axis.error();
  const bool is_last = *axis + 1 == static_cast<Dim>(shape->rank());
  const std::int64_t to_end = call.opset < kOneAxisSince && !is_last ? 1 : 0;
  return one_result(def, Attrs{{"axis", *axis}, {"to_end", to_end}}, {std::size_t{0}});
}

Result<OnnxEmitted> softmax_form_to_onnx(const Op& op, std::span<const Shape> in, int opset) {
  const auto axis = normal_axis(op.def->name, op.integer("axis"), in[0].size());
  if (!axis) return axis.error();
  const bool to_end = op.integer("to_end") != 0;
  const bool is_last = *axis + 1 == static_cast<Dim>(in[0].size());  // both forms mean the same
  if (!is_last && to_end && opset >= kOneAxisSince)
    return not_in_opset(op, "to_end", opset, "a row is one axis there");
  if (!is_last && !to_end && opset < kOneAxisSince)
    return not_in_opset(op, "axis", opset, "a row is all axes from there on");
  return OnnxEmitted{op.def->name, Attrs{{"axis", *axis}}, {std::size_t{0}}};
}

std::optional<Op> rearranged_softmax(const Op& op, std::span<const std::size_t> order) {
  if (op.integer("to_end") != 0) return std::nullopt;
  Op out = op;
  out.attrs.set("axis", new_place(op.integer("axis"), order));
  return out;
}

}  // namespace pet::ops
