// BatchNormalization at inference: (x − mean) · scale / sqrt(var + epsilon) + bias, by channel. The
// root is an element function of the variance; the rest is a sum of products.
#include <fmt/format.h>

#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/pointwise.h"
#include "core/ops/parts/spelling.h"

namespace pet::ops {
namespace {

const ElementFunction kInverseDeviation{
    .name = "inverse_deviation",
    .totality = Totality::Partial,
    .text = "1 / sqrtf(x0 + p0)",
    .value =
        [](std::span<const double> p, const RowState&, std::span<const Real> variance) {
          return 1 / std::sqrt(variance[0] + static_cast<Real>(p[0]));
        },
    .enclose = [](std::span<const double> p, std::span<const Interval> variance,
                  unsigned bits) -> std::optional<Interval> {
      const auto root = square_root(variance[0] + Interval::point(exact(p[0])), bits);
      return root ? reciprocal(*root) : std::nullopt;
    }};

Result<Meaning> lower_batch_normalization(const Op& op, std::span<const Shape> in) {
  if (in[0].size() < 2) return Error{"BatchNormalization: the input needs a channel axis"};
  const Shape channels = {in[0][1]};
  for (std::size_t i = 1; i < 5; ++i) {
    if (in[i] != channels) {
      return Error{fmt::format("BatchNormalization: operand {} has shape {}, not {}", i,
                               to_string(in[i]), to_string(channels))};
    }
  }
  enum { x, scale, bias, mean, variance, inverse };
  const std::vector<IndexExpr> channel = {v(1)};
  const auto at = [&](int operand) { return Access{operand, channel}; };
  const Term scaled{.coef = {},
                    .reduce = {},
                    .guards = {},
                    .factors = {{x, identity_index(in[0])}, at(scale), at(inverse)}};
  const Term shifted{.coef = {.scale = -1, .tables = {}},
                     .reduce = {},
                     .guards = {},
                     .factors = {at(mean), at(scale), at(inverse)}};
  const Term biased{.coef = {}, .reduce = {}, .guards = {}, .factors = {at(bias)}};
  return Meaning{{applied_to(kInverseDeviation, {op.real("epsilon")}, variance, channels)},
                 {in[0], {scaled, shifted, biased}}};
}

Imported batch_normalization_from_onnx(const OnnxCall& call) {
  if (call.num_outputs > 1)
    return Error{"BatchNormalization: the training form is not interpreted",
                 ErrorKind::Unsupported};
  Attrs attrs = call.attrs;
  if (attrs.has("training_mode") && *attrs.find("training_mode") != AttrValue{std::int64_t{0}}) {
    return Error{"BatchNormalization: the training form is not interpreted",
                 ErrorKind::Unsupported};
  }
  attrs.erase("training_mode");
  attrs.erase("momentum");  // of the training form only
  return one_result(
      batch_normalization(), std::move(attrs),
      {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{4}});
}

// A scale and a shift by channel, as whoever folds it computes them.
Result<NodeId> batch_normalization_spelled_out(const Op& op, GraphBuilder& graph,
                                               const std::vector<NodeId>& operands) {
  Spelling spell(graph);
  const NodeId x = operands[0];
  Shape by_channel(spell.rank(x), 1);
  by_channel[1] = (*graph.type(operands[1]).shape)[0];
  const auto spread = [&](NodeId of_channels) {
    return spell.add(reshape(), {of_channels}, {{"shape", by_channel}});
  };
  const NodeId guarded =
      spell.add(add(), {operands[4], spell.number(static_cast<float>(op.real("epsilon")))});
  const NodeId inverse = spell.add(reciprocal(), {spell.add(sqrt(), {guarded})});
  const NodeId factor = spell.add(mul(), {operands[1], inverse});
  const NodeId shift = spell.add(sub(), {operands[2], spell.add(mul(), {operands[3], factor})});
  const NodeId scaled = spell.add(mul(), {x, spread(factor)});
  return spell.finish(spell.add(add(), {scaled, spread(shift)}));
}

}  // namespace

const OpDef& batch_normalization() {
  static const OpDef def{.name = "BatchNormalization",
                         .summary = "normalisation by stored mean and variance, by channel",
                         .arity = {5, 5},
                         .attrs = {{"epsilon", static_cast<double>(1e-5F), AttrRole::Parameter}},
                         .lower = lower_batch_normalization,
                         .spelled_out = batch_normalization_spelled_out,
                         .from_onnx = batch_normalization_from_onnx};
  return def;
}

}  // namespace pet::ops
