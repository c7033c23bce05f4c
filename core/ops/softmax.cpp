// Softmax: e^x over the sum of e^x along a row.
#include "core/ops/parts/softmax.h"

#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/spelling.h"

namespace pet::ops {
namespace {

const ElementFunction kSoftmax{
    .name = "softmax",
    .totality = Totality::Total,
    .text = "expf(x0 - r0) / r1",
    .row_text = kLargestAndSumText,
    .value = [](std::span<const double>, const RowState& row,
                std::span<const Real> x) { return std::exp(x[0] - row.first) / row.second; },
    .row = largest_and_sum,
    .at_infinity = Finiteness::Finite};

Result<Meaning> lower_softmax(const Op& op, std::span<const Shape> in) {
  return lower_softmax_by(kSoftmax, op, in[0]);
}

Imported softmax_from_onnx(const OnnxCall& call) { return softmax_form_from_onnx(softmax(), call); }

Result<NodeId> softmax_spelled_out(const Op& op, GraphBuilder& graph,
                                   const std::vector<NodeId>& operands) {
  if (op.integer("to_end") != 0)
    return Error{"Softmax: of rows of several axes", ErrorKind::Unsupported};
  Spelling spell(graph);
  const auto axis = normal_axis("Softmax", op.integer("axis"), spell.rank(operands[0]));
  if (!axis) return axis.error();
  const Attrs along{{"axes", Ints{*axis}}};
  const NodeId largest = spell.add(reduce_max(), {operands[0]}, along);
  const NodeId powers = spell.add(exp(), {spell.add(sub(), {operands[0], largest})});
  return spell.finish(spell.add(div(), {powers, spell.add(reduce_sum(), {powers}, along)}));
}

}  // namespace

const OpDef& softmax() {
  static const OpDef def{.name = "Softmax",
                         .summary = "exponentials of a row, scaled to add up to 1",
                         .arity = {1, 1},
                         .attrs = softmax_attrs(),
                         .lower = lower_softmax,
                         .spelled_out = softmax_spelled_out,
                         .from_onnx = softmax_from_onnx,
                         .to_onnx = softmax_form_to_onnx,
                         .rearranged = rearranged_softmax};
  return def;
}

}  // namespace pet::ops
