#include "core/eval/element_steps.h"

#include <vector>

namespace pet {

double steps_of_element(const Graph& graph, NodeId id) {
  std::vector<double> out(id.index() + 1, 0);
  for (std::size_t i = 0; i <= id.index(); ++i) {
    if (!graph.has_meaning(NodeId(i))) continue;
    const Node& node = graph.node(NodeId(i));
    for (const Term& term : graph.meaning(NodeId(i)).sum.terms) {
      double product = 1;
      for (const Access& access : term.factors) {
        const auto k = static_cast<std::size_t>(access.operand);
        if (k < node.operands.size()) product += out[node.operands[k].index()];
      }
      out[i] += static_cast<double>(count(term.reduce)) * product;
    }
  }
  return out[id.index()];
}

}  // namespace pet
