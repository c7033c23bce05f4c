// Concat: the operands one after another along an axis. A sum of shifted reads, each guarded by its
// own range.
#include <fmt/format.h>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/rearranged.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_concat(const Op& op, std::span<const Shape> in) {
  const auto axis = normal_axis("Concat", op.integer("axis"), in[0].size());
  if (!axis) return axis.error();
  const auto a = static_cast<std::size_t>(*axis);
  IndexedSum sum{in[0], {}};
  Dim begin = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    Shape expected = in[0];
    if (in[i].size() == in[0].size()) expected[a] = in[i][a];
    if (in[i] != expected) {
      return Error{fmt::format("Concat: operands {} and {} do not fit along axis {}",
                               to_string(in[0]), to_string(in[i]), a)};
    }
    auto index = identity_index(in[0]);
    index[a] += -begin;
    const Dim end = begin + in[i][a];
    sum.terms.push_back({.coef = {},
                         .reduce = {},
                         .guards = {{v(a), begin, end}},
                         .factors = {{static_cast<int>(i), index}}});
    begin = end;
  }
  sum.out[a] = begin;
  return Meaning{{}, std::move(sum)};
}

Imported concat_from_onnx(const OnnxCall& call) {
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  Attrs attrs = call.attrs;
  if (attrs.has("axis")) {
    const auto given = integer_or(call, "axis", 0);
    if (!given) return given.error();
    const auto axis = normal_axis("Concat", *given, shape->rank());
    if (!axis) return axis.error();
    attrs.set("axis", *axis);
  }
  std::vector<OnnxSource> operands;
  for (std::size_t i = 0; i < call.operands.size(); ++i) operands.emplace_back(i);
  return one_result(concat(), std::move(attrs), std::move(operands));
}

std::optional<Op> rearranged_concat(const Op& op, std::span<const std::size_t> order) {
  Op out = op;
  out.attrs.set("axis", new_place(op.integer("axis"), order));
  return out;
}

}  // namespace

const OpDef& concat() {
  static const OpDef def{.name = "Concat",
                         .summary = "operands one after another along an axis",
                         .arity = {1, kAnyNumber},
                         .attrs = {{"axis", std::int64_t{0}, AttrRole::Geometry, true}},
                         .lower = lower_concat,
                         .affine_in_sizes = with_any_attributes,
                         .from_onnx = concat_from_onnx,
                         .rearranged = rearranged_concat};
  return def;
}

}  // namespace pet::ops
