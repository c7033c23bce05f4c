// RMSNormalization: x / sqrt(mean of the squares + epsilon) of the row from `axis` on, times a
// scale.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/normalized.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/row.h"
#include "core/ops/parts/spelling.h"

namespace pet::ops {
namespace {

RowState inverse_root_mean_square(std::span<const double> parameters, std::span<const Real> row) {
  Real squares = 0;
  for (const Real x : row) squares += x * x;
  const Real mean = squares / static_cast<Real>(row.size());
  return {1 / std::sqrt(mean + static_cast<Real>(parameters[0])), 0};
}

const ElementFunction kRmsNormalized{
    .name = "rms_normalized",
    .totality = Totality::Partial,
    .text = "x0 * r0",
    .row_text = {{{Fold::Sum, "x * x", "1 / sqrtf(r / n + p0)"}}},
    .value = [](std::span<const double>, const RowState& row,
                std::span<const Real> x) { return x[0] * row.first; },
    .row = inverse_root_mean_square};

Result<Meaning> lower_rms_normalization(const Op& op, std::span<const Shape> in) {
  const auto axis = normal_axis("RMSNormalization", op.integer("axis"), in[0].size());
  if (!axis) return axis.error();
  if (broadcast(in[1], in[0]) != in[0]) {
    return Error{fmt::format("RMSNormalization: a scale of shape {} does not broadcast to {}",
                             to_string(in[1]), to_string(in[0]))};
  }
  Ints row(in[0].size() - static_cast<std::size_t>(*axis));
  std::iota(row.begin(), row.end(), *axis);
  return Meaning{{along_rows(kRmsNormalized, {op.real("epsilon")}, in[0], row)},
                 scaled_and_shifted(in[0], 2, {broadcast_index(in[1], in[0]), {}})};
}

Imported rms_normalization_from_onnx(const OnnxCall& call) {
  if (auto status = stashes_floats(call); !status) return std::move(status).error();
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  const auto given = integer_or(call, "axis", -1);
  if (!given) return given.error();
  const auto axis = normal_axis("RMSNormalization", *given, shape->rank());
  if (!axis) return axis.error();
  Attrs attrs = call.attrs;
  attrs.erase("stash_type");
  attrs.set("axis", *axis);
  return one_result(rms_normalization(), std::move(attrs), {std::size_t{0}, std::size_t{1}});
}

Result<NodeId> rms_normalization_spelled_out(const Op& op, GraphBuilder& graph,
                                             const std::vector<NodeId>& operands) {
  Spelling spell(graph);
  const NodeId x = operands[0];
  const auto axis = normal_axis("RMSNormalization", op.integer("axis"), spell.rank(x));
  if (!axis) return axis.error();
  Ints row(spell.rank(x) - static_cast<std::size_t>(*axis));
  std::iota(row.begin(), row.end(), *axis);
  const NodeId mean = spell.add(reduce_mean(), {spell.add(mul(), {x, x})}, {{"axes", row}});
  const NodeId epsilon = spell.number(static_cast<float>(op.real("epsilon")));
  const NodeId root = spell.add(sqrt(), {spell.add(add(), {mean, epsilon})});
  return spell.finish(spell.add(mul(), {spell.add(div(), {x, root}), operands[1]}));
}

}  // namespace

const OpDef& rms_normalization() {
  static const OpDef def{.name = "RMSNormalization",
                         .summary = "rows scaled to a mean square of 1, then scaled",
                         .arity = {2, 2},
                         .attrs = {{"axis", std::int64_t{-1}},
                                   {"epsilon", static_cast<double>(1e-5F), AttrRole::Parameter}},
                         .since = 23,
                         .lower = lower_rms_normalization,
                         .spelled_out = rms_normalization_spelled_out,
                         .from_onnx = rms_normalization_from_onnx};
  return def;
}

}  // namespace pet::ops
