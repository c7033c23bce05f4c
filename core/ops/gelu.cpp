// Gelu: x·Φ(x), or its approximation by a hyperbolic tangent.
#include <cmath>
#include <numbers>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"
#include "core/ops/parts/spelling.h"

namespace pet::ops {
namespace {

Real gelu_of(std::span<const double> parameters, const RowState&, std::span<const Real> element) {
  const Real x = element[0];
  if (parameters[0] == 0) return x / 2 * (1 + std::erf(x / std::numbers::sqrt2_v<Real>));
  const Real slope = std::sqrt(2 * std::numbers::inv_pi_v<Real>);
  return x / 2 * (1 + std::tanh(slope * (x + 0.044715L * x * x * x)));
}

const ElementFunction kGelu{
    .name = "gelu",
    .totality = Totality::Total,
    .text =
        "p0 == 0 ? x0 / 2 * (1 + erff(x0 * 0.70710678118654752)) : x0 / 2 * (1 + "
        "tanhf(0.79788456080286536 * (x0 + 0.044715 * x0 * x0 * x0)))",
    .value = gelu_of};

Result<Meaning> lower_gelu(const Op& op, std::span<const Shape> in) {
  const std::string& approximate = op.text("approximate");
  if (approximate != "none" && approximate != "tanh") {
    return Error{"Gelu: approximate is neither \"none\" nor \"tanh\"", ErrorKind::Unsupported};
  }
  return pointwise(kGelu, {approximate == "tanh" ? 1.0 : 0.0}, in);
}

Result<NodeId> gelu_spelled_out(const Op& op, GraphBuilder& graph,
                                const std::vector<NodeId>& operands) {
  Spelling spell(graph);
  const NodeId x = operands[0];
  NodeId bend = x;
  if (op.text("approximate") == "tanh") {
    const NodeId cube = spell.add(pow(), {x, spell.number(3)});
    const NodeId inner = spell.add(add(), {x, spell.add(mul(), {spell.number(0.044715F), cube})});
    const auto slope = static_cast<float>(std::sqrt(2 * std::numbers::inv_pi_v<Real>));
    bend = spell.add(tanh(), {spell.add(mul(), {spell.number(slope), inner})});
  } else {
    bend = spell.add(erf(), {spell.add(div(), {x, spell.number(std::numbers::sqrt2_v<float>)})});
  }
  const NodeId half = spell.add(mul(), {x, spell.number(0.5F)});
  return spell.finish(spell.add(mul(), {half, spell.add(add(), {bend, spell.number(1)})}));
}

}  // namespace

const OpDef& gelu() {
  static const OpDef def{
      .name = "Gelu",
      .summary = "x times the normal distribution function of x, exact or by tanh",
      .arity = {1, 1},
      .attrs = {{"approximate", std::string("none"), AttrRole::Parameter}},
      .since = 20,
      .lower = lower_gelu,
      .affine_in_sizes = with_any_attributes,
      .spelled_out = gelu_spelled_out};
  return def;
}

}  // namespace pet::ops
