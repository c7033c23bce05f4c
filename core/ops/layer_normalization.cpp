// LayerNormalization: (x − mean) / sqrt(variance + epsilon) of the row from `axis` on, times a
// scale, plus a bias.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/row.h"

namespace pet::ops {
namespace {

RowState mean_and_inverse_deviation(std::span<const double> parameters, std::span<const Real> row) {
  const Real number = static_cast<Real>(row.size());
  const Real mean = std::accumulate(row.begin(), row.end(), Real{0}) / number;
  Real squares = 0;
  for (const Real x : row) squares += (x - mean) * (x - mean);
  return {mean, 1 / std::sqrt(squares / number + static_cast<Real>(parameters[0]))};
}

const ElementFunction kNormalized{
    .name = "normalized",
    .totality = Totality::Partial,
    .value = [](std::span<const double>, const RowState& row,
                std::span<const Real> x) { return (x[0] - row.first) * row.second; },
    .row = mean_and_inverse_deviation};

Result<Meaning> lower(const Op& op, std::span<const Shape> in) {
  const auto axis = normal_axis("LayerNormalization", op.integer("axis"), in[0].size());
  if (!axis) return axis.error();
  for (std::size_t i = 1; i < in.size(); ++i) {
    if (broadcast(in[i], in[0]) != in[0]) {
      return Error{
          fmt::format("LayerNormalization: operand {} of shape {} does not broadcast to {}", i,
                      to_string(in[i]), to_string(in[0]))};
    }
  }
  Ints row(in[0].size() - static_cast<std::size_t>(*axis));
  std::iota(row.begin(), row.end(), *axis);
  const int normalized = static_cast<int>(in.size());
  IndexedSum sum{in[0], {}};
  sum.terms.push_back(
      {.coef = {},
       .reduce = {},
       .guards = {},
       .factors = {{normalized, identity_index(in[0])}, {1, broadcast_index(in[1], in[0])}}});
  if (in.size() == 3) {
    sum.terms.push_back(
        {.coef = {}, .reduce = {}, .guards = {}, .factors = {{2, broadcast_index(in[2], in[0])}}});
  }
  return Meaning{{along_rows(kNormalized, {op.real("epsilon")}, in[0], row)}, std::move(sum)};
}

Imported from_onnx(const OnnxCall& call) {
  if (call.num_outputs > 1) {
    return Error{"LayerNormalization: the results Mean and InvStdDev are not interpreted",
                 ErrorKind::Unsupported};
  }
  const auto stash_type = integer_or(call, "stash_type", 1);
  if (!stash_type) return stash_type.error();
  if (*stash_type != 1)
    return Error{"LayerNormalization: stash_type is not float", ErrorKind::Unsupported};
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  const auto given = integer_or(call, "axis", -1);
  if (!given) return given.error();
  const auto axis = normal_axis("LayerNormalization", *given, shape->size());
  if (!axis) return axis.error();
  Attrs attrs = call.attrs;
  attrs.erase("stash_type");
  attrs.set("axis", *axis);
  std::vector<OnnxSource> operands = {std::size_t{0}, std::size_t{1}};
  if (call.has(2)) operands.emplace_back(std::size_t{2});
  return one_result(layer_normalization(), std::move(attrs), std::move(operands));
}

}  // namespace

const OpDef& layer_normalization() {
  static const OpDef def{
      .name = "LayerNormalization",
      .summary = "rows shifted and scaled to mean 0 and variance 1, then scaled and shifted",
      .arity = {2, 3},
      .attrs = {{"axis", std::int64_t{-1}},
                {"epsilon", static_cast<double>(1e-5F), AttrRole::Parameter}},
      .lower = lower,
      .from_onnx = from_onnx};
  return def;
}

}  // namespace pet::ops
