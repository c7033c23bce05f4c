// LayerNormalization: (x − mean) / sqrt(variance + epsilon) of the row from `axis` on, times a
// scale, plus a bias. ONNX's node has two more results: the mean, which is ReduceMean, and the
// factor 1 / sqrt(variance + epsilon), which is this operator with another `result`.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/normalized.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/row.h"
#include "core/ops/parts/spelling.h"

namespace pet::ops {
namespace {

const std::string kWhole = "normalized";
const std::string kFactor = "inverse_deviation";

const ElementFunction kInverseDeviationOfRow{
    .name = "inverse_deviation_of_row",
    .totality = Totality::Partial,
    .text = "r1",
    .row_text = kMeanAndInverseDeviationText,
    .value = [](std::span<const double>, const RowState& row,
                std::span<const Real>) { return row.second; },
    .row = mean_and_inverse_deviation};

// One number a row; the row's axes stay with extent 1.
Result<Meaning> lower_factor(const Op& op, const Shape& in, Dim axis) {
  Shape out = in;
  std::fill(out.begin() + axis, out.end(), 1);
  Window window{.extent = Shape(in.begin() + axis, in.end()),
                .guards = {},
                .read = {0, identity_index(in)},
                .symmetry = Symmetry::Multiset};
  if (count(window.extent) == 0)
    return Error{"LayerNormalization: the deviation of no element", ErrorKind::Unsupported};
  for (auto i = static_cast<std::size_t>(axis); i < in.size(); ++i)
    window.read.index[i] = v(in.size() + i - static_cast<std::size_t>(axis));
  return Meaning{{{&kInverseDeviationOfRow, {op.real("epsilon")}, out, {}, std::move(window)}},
                 read_in_place(1, out)};
}

Result<Meaning> lower_layer_normalization(const Op& op, std::span<const Shape> in) {
  const auto axis = normal_axis("LayerNormalization", op.integer("axis"), in[0].size());
  if (!axis) return axis.error();
  const bool is_factor = op.text("result") == kFactor;
  if ((!is_factor && op.text("result") != kWhole) || is_factor != (in.size() == 1)) {
    return Error{fmt::format("LayerNormalization: no result {} of {} operands", op.text("result"),
                             in.size())};
  }
  if (is_factor) return lower_factor(op, in[0], *axis);
  for (std::size_t i = 1; i < in.size(); ++i) {
    if (broadcast(in[i], in[0]) != in[0]) {
      return Error{
          fmt::format("LayerNormalization: operand {} of shape {} does not broadcast to {}", i,
                      to_string(in[i]), to_string(in[0]))};
    }
  }
  Ints row(in[0].size() - static_cast<std::size_t>(*axis));
  std::iota(row.begin(), row.end(), *axis);
  ScaleAndBias by{broadcast_index(in[1], in[0]), {}};
  if (in.size() == 3) by.bias = broadcast_index(in[2], in[0]);
  return Meaning{{along_rows(normalized_function(), {op.real("epsilon")}, in[0], row)},
                 scaled_and_shifted(in[0], static_cast<int>(in.size()), by)};
}

Imported layer_normalization_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"axis", "epsilon", "stash_type"}); !known)
    return std::move(known).error();
  if (auto status = stashes_floats(call); !status) return std::move(status).error();
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  const auto given = integer_or(call, "axis", -1);
  if (!given) return given.error();
  const auto axis = normal_axis("LayerNormalization", *given, shape->rank());
  if (!axis) return axis.error();
  Attrs attrs = call.attrs;
  attrs.erase("stash_type");
  attrs.set("axis", *axis);
  std::vector<OnnxSource> operands = {std::size_t{0}, std::size_t{1}};
  if (call.has(2)) operands.emplace_back(std::size_t{2});
  auto results = one_result(layer_normalization(), attrs, std::move(operands));
  if (!results || call.num_outputs < 2) return results;
  Ints row(shape->rank() - static_cast<std::size_t>(*axis));
  std::iota(row.begin(), row.end(), *axis);
  attrs.set("result", kFactor);
  const auto mean = one_result(reduce_mean(), Attrs{{"axes", std::move(row)}}, {std::size_t{0}});
  const auto factor = one_result(layer_normalization(), std::move(attrs), {std::size_t{0}});
  for (const auto* more : {&mean, &factor}) {
    if (!*more) return more->error();
    if (results->size() < call.num_outputs) results->push_back((*more)->front());
  }
  return results;
}

Result<OnnxEmitted> layer_normalization_to_onnx(const Op& op, std::span<const Shape> in, int) {
  OnnxEmitted out{"LayerNormalization", op.attrs, {}};
  out.attrs.erase("result");
  for (std::size_t i = 0; i < in.size(); ++i) out.operands.emplace_back(i);
  if (op.text("result") == kWhole) return out;
  const auto axis = normal_axis("LayerNormalization", op.integer("axis"), in[0].size());
  if (!axis) return axis.error();
  out.operands.emplace_back(Filled{Shape(in[0].begin() + *axis, in[0].end()), 1});
  out.output = 2;
  return out;
}

Result<NodeId> layer_normalization_spelled_out(const Op& op, GraphBuilder& graph,
                                               const std::vector<NodeId>& operands) {
  if (op.text("result") != kWhole)
    return Error{"LayerNormalization: a result of its own", ErrorKind::Unsupported};
  Spelling spell(graph);
  const auto axis = normal_axis("LayerNormalization", op.integer("axis"), spell.rank(operands[0]));
  if (!axis) return axis.error();
  Ints row(spell.rank(operands[0]) - static_cast<std::size_t>(*axis));
  std::iota(row.begin(), row.end(), *axis);
  const Attrs along{{"axes", row}};
  const NodeId mean = spell.add(reduce_mean(), {operands[0]}, along);
  const NodeId centred = spell.add(sub(), {operands[0], mean});
  const NodeId squares = spell.add(mul(), {centred, centred});
  const NodeId variance = spell.add(reduce_mean(), {squares}, along);
  const NodeId epsilon = spell.number(static_cast<float>(op.real("epsilon")));
  const NodeId deviation = spell.add(sqrt(), {spell.add(add(), {variance, epsilon})});
  const NodeId normal = spell.add(div(), {centred, deviation});
  const NodeId scaled = spell.add(mul(), {normal, operands[1]});
  return spell.finish(operands.size() == 3 ? spell.add(add(), {scaled, operands[2]}) : scaled);
}

}  // namespace

const OpDef& layer_normalization() {
  static const OpDef def{
      .name = "LayerNormalization",
      .summary = "rows shifted and scaled to mean 0 and variance 1, then scaled and shifted",
      .arity = {1, 3},
      .attrs = {{"axis", std::int64_t{-1}},
                {"epsilon", static_cast<double>(1e-5F), AttrRole::Parameter},
                {"result", kWhole}},
      .since = 17,
      .lower = lower_layer_normalization,
      .spelled_out = layer_normalization_spelled_out,
      .from_onnx = layer_normalization_from_onnx,
      .to_onnx = layer_normalization_to_onnx};
  return def;
}

}  // namespace pet::ops
