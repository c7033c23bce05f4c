// E-graphs of operators that have no meaning: what holds of classes holds of these.
#pragma once

#include "core/egraph/egraph.h"

namespace pet::test {

inline egraph::Operator letter(char name) {
  return {InputLeaf{std::string(1, name)}, digest_of("letter", std::string(1, name))};
}

inline egraph::ENodeId add(egraph::EGraph& graph, char name,
                           const std::vector<egraph::ENodeId>& operands) {
  std::vector<egraph::ClassId> classes;
  for (const egraph::ENodeId id : operands) classes.push_back(graph.class_of(id));
  return graph.add(letter(name), classes, float_tensor({2}), egraph::kOriginal);
}

}  // namespace pet::test
