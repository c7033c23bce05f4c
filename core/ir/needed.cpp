#include "core/ir/needed.h"

namespace pet {

std::vector<char> needed_by(const Graph& graph, std::vector<char> wanted) {
  for (std::size_t i = wanted.size(); i-- > 0;) {  // who needs it comes later and is known
    if (wanted[i] == 0) continue;
    for (const NodeId operand : graph.node(NodeId(i)).operands) wanted[operand.index()] = 1;
  }
  return wanted;
}

std::vector<char> needed_by(const Graph& graph, NodeId wanted) {
  std::vector<char> out(graph.nodes().size(), 0);
  out[wanted.index()] = 1;
  return needed_by(graph, std::move(out));
}

}  // namespace pet
