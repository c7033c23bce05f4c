// Flatten: a matrix of the axes before `axis` by the axes from it on.
#include <fmt/format.h>

#include "core/ops/ops.h"
#include "core/ops/parts/digits.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_flatten(const Op& op, std::span<const Shape> in) {
  const Dim axis = op.integer("axis");
  if (axis < 0 || axis > static_cast<Dim>(in[0].size())) {
    return Error{fmt::format("Flatten: no border {} in rank {}", axis, in[0].size())};
  }
  Shape out = {1, 1};
  for (std::size_t i = 0; i < in[0].size(); ++i)
    out[static_cast<Dim>(i) < axis ? 0 : 1] *= in[0][i];
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {{0, reshaped_index(in[0], out)}}};
  return Meaning{{}, {std::move(out), {std::move(term)}}};
}

Imported flatten_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"axis"}); !known) return std::move(known).error();
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  auto axis = integer_or(call, "axis", 1);
  if (!axis) return axis.error();
  const Dim rank = static_cast<Dim>(shape->rank());
  if (*axis < -rank || *axis > rank)
    return Error{fmt::format("Flatten: no border {} in rank {}", *axis, rank)};
  return one_result(flatten(), Attrs{{"axis", *axis < 0 ? *axis + rank : *axis}}, {std::size_t{0}});
}

}  // namespace

const OpDef& flatten() {
  static const OpDef def{.name = "Flatten",
                         .summary = "a matrix of the axes before a border by the axes after it",
                         .arity = {1, 1},
                         .attrs = {{"axis", std::int64_t{1}}},
                         .lower = lower_flatten,
                         .from_onnx = flatten_from_onnx};
  return def;
}

}  // namespace pet::ops
