// Softsign: x / (1 + |x|).
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"
#include "core/ops/parts/spelling.h"

namespace pet::ops {
namespace {

const ElementFunction kSoftsign =
    function_of<[](Real x) { return x / (1 + std::abs(x)); }>("softsign", "x0 / (1 + fabsf(x0))");

Result<NodeId> softsign_spelled_out(const Op&, GraphBuilder& graph,
                                    const std::vector<NodeId>& operands) {
  Spelling spell(graph);
  const NodeId x = operands[0];
  const NodeId size = spell.add(abs(), {x});
  return spell.finish(spell.add(div(), {x, spell.add(add(), {size, spell.number(1)})}));
}

}  // namespace

const OpDef& softsign() {
  static const OpDef def = [] {
    OpDef out = elementwise<kSoftsign>("Softsign", "x / (1 + |x|), element by element");
    out.spelled_out = softsign_spelled_out;
    return out;
  }();
  return def;
}

}  // namespace pet::ops
