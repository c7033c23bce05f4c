// Swish: x times the sigmoid of alpha·x. Exactly that product, so that a file which spells it out
// means the same.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"
#include "core/ops/parts/spelling.h"

namespace pet::ops {
namespace {

const ElementFunction kSigmoidOfMultiple{
    .name = "sigmoid_of_multiple",
    .totality = Totality::Total,
    .text = "1 / (1 + expf(-(p0 * x0)))",
    .value = [](std::span<const double> p, const RowState&, std::span<const Real> x) {
      return 1 / (1 + std::exp(-static_cast<Real>(p[0]) * x[0]));
    }};

Result<Meaning> lower_swish(const Op& op, std::span<const Shape> in) {
  const double alpha = op.real("alpha");
  auto gate = alpha == 1 ? applied_to(sigmoid_function(), {}, 0, in[0])
                         : applied_to(kSigmoidOfMultiple, {alpha}, 0, in[0]);
  return Meaning{{std::move(gate)}, product_in_place({0, 1}, in[0])};
}

// With alpha 1 the meaning is the formula already.
Result<NodeId> swish_spelled_out(const Op& op, GraphBuilder& graph,
                                 const std::vector<NodeId>& operands) {
  Spelling spell(graph);
  const NodeId x = operands[0];
  const auto alpha = static_cast<float>(op.real("alpha"));
  const NodeId multiple = alpha == 1 ? x : spell.add(mul(), {x, spell.number(alpha)});
  return spell.finish(spell.add(mul(), {x, spell.add(sigmoid(), {multiple})}));
}

}  // namespace

const OpDef& swish() {
  static const OpDef def{.name = "Swish",
                         .summary = "x times the sigmoid of alpha times x, element by element",
                         .arity = {1, 1},
                         .attrs = {{"alpha", 1.0, AttrRole::Parameter}},
                         .since = 24,
                         .lower = lower_swish,
                         .affine_in_sizes = with_any_attributes,
                         .spelled_out = swish_spelled_out};
  return def;
}

}  // namespace pet::ops
