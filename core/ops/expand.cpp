// Expand: broadcast to a larger shape.
#include <fmt/format.h>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_expand(const Op& op, std::span<const Shape> in) {
  const Shape& to = op.ints("shape");
  if (!checked_count(to) || broadcast(in[0], to) != to) {
    return Error{
        fmt::format("Expand: {} does not broadcast to {}", to_string(in[0]), to_string(to))};
  }
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {{0, broadcast_index(in[0], to)}}};
  return Meaning{{}, {to, {std::move(term)}}};
}

Imported expand_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {}); !known) return std::move(known).error();
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  const auto wanted = constant_operand(call, 1, "shape");
  if (!wanted) return wanted.error();
  auto to = broadcast(shape->all(), *wanted);
  if (!checked_count(*wanted) || !to) {
    return Error{fmt::format("Expand: {} and {} do not broadcast", to_string(shape->all()),
                             to_string(*wanted))};
  }
  return one_result(expand(), Attrs{{"shape", *std::move(to)}}, {std::size_t{0}});
}

Result<OnnxEmitted> expand_to_onnx(const Op& op, std::span<const Shape>, int) {
  return OnnxEmitted{"Expand", {}, {std::size_t{0}, op.ints("shape")}};
}

}  // namespace

const OpDef& expand() {
  static const OpDef def{.name = "Expand",
                         .summary = "broadcast to a larger shape",
                         .arity = {1, 1},
                         .attrs = {{"shape", Ints{}, AttrRole::Geometry, true}},
                         .lower = lower_expand,
                         .reads_by_formula = true,
                         .from_onnx = expand_from_onnx,
                         .to_onnx = expand_to_onnx};
  return def;
}

}  // namespace pet::ops
