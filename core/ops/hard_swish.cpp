// HardSwish: x times a ramp from 0 at -3 to 1 at 3.
#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"
#include "core/ops/parts/spelling.h"

namespace pet::ops {
namespace {

const ElementFunction kHardSwish{
    .name = "hard_swish",
    .totality = Totality::Total,
    .text = "x0 * (x0 / 6 + 0.5 < 0 ? 0 : x0 / 6 + 0.5 > 1 ? 1 : x0 / 6 + 0.5)",
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) {
      return x[0] * std::clamp<Real>(x[0] / 6 + Real{0.5}, 0, 1);
    }};

Result<NodeId> hard_swish_spelled_out(const Op&, GraphBuilder& graph,
                                      const std::vector<NodeId>& operands) {
  Spelling spell(graph);
  const NodeId x = operands[0];
  const NodeId shifted = spell.add(add(), {x, spell.number(3)});
  const NodeId ramp = spell.add(clip(), {shifted, spell.number(0), spell.number(6)});
  const NodeId product = spell.add(mul(), {x, ramp});
  return spell.finish(spell.add(div(), {product, spell.number(6)}));
}

}  // namespace

const OpDef& hard_swish() {
  static const OpDef def = [] {
    OpDef out = elementwise<kHardSwish>(
        "HardSwish", "x times x / 6 + 1/2 within 0 and 1, element by element", {}, 14);
    out.spelled_out = hard_swish_spelled_out;
    return out;
  }();
  return def;
}

}  // namespace pet::ops
