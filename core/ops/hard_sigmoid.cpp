// HardSigmoid: alpha·x + beta, within 0 and 1.
#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"
#include "core/ops/parts/spelling.h"

namespace pet::ops {
namespace {

const ElementFunction kHardSigmoid{
    .name = "hard_sigmoid",
    .totality = Totality::Total,
    .text = "p0 * x0 + p1 < 0 ? 0 : p0 * x0 + p1 > 1 ? 1 : p0 * x0 + p1",
    .value = [](std::span<const double> p, const RowState&, std::span<const Real> x) {
      return std::clamp<Real>(static_cast<Real>(p[0]) * x[0] + static_cast<Real>(p[1]), 0, 1);
    }};

// With a slope of a sixth exporters write relu6(x + 3) / 6.
Result<NodeId> hard_sigmoid_spelled_out(const Op& op, GraphBuilder& graph,
                                        const std::vector<NodeId>& operands) {
  Spelling spell(graph);
  const NodeId x = operands[0];
  const auto slope = static_cast<float>(op.real("alpha"));
  const auto middle = static_cast<float>(op.real("beta"));
  if (slope == 1.0F / 6 && middle == 0.5F) {
    const NodeId shifted = spell.add(add(), {x, spell.number(3)});
    const NodeId ramp = spell.add(clip(), {shifted, spell.number(0), spell.number(6)});
    return spell.finish(spell.add(div(), {ramp, spell.number(6)}));
  }
  const NodeId line =
      spell.add(add(), {spell.add(mul(), {x, spell.number(slope)}), spell.number(middle)});
  return spell.finish(spell.add(clip(), {line, spell.number(0), spell.number(1)}));
}

}  // namespace

const OpDef& hard_sigmoid() {
  static const OpDef def = [] {
    OpDef out =
        elementwise<kHardSigmoid>("HardSigmoid", "alpha times x plus beta, within 0 and 1",
                                  {{"alpha", static_cast<double>(0.2F), AttrRole::Parameter},
                                   {"beta", 0.5, AttrRole::Parameter}});
    out.spelled_out = hard_sigmoid_spelled_out;
    return out;
  }();
  return def;
}

}  // namespace pet::ops
