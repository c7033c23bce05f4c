#include "core/program/mutate/exchange.h"

#include <algorithm>

#include "core/ir/copy.h"

namespace pet::mutation {
namespace {

// `op` on `x` in the place of `old`, the other operands (constants and inputs) as they are.
Result<NodeId> reapply(GraphBuilder& b, const Graph& from, NodeId node, NodeId old, NodeId x,
                       const GraphCopy& leaves) {
  std::vector<NodeId> operands;
  for (const NodeId operand : from.node(node).operands)
    operands.push_back(operand == old ? x : leaves.at(operand));
  return b.add(*from.node(node).op(), std::move(operands));
}

bool holds_only(const Graph& graph, NodeId first, NodeId second) {
  return std::ranges::all_of(graph.ids(), [&](NodeId id) {
    return graph.node(id).op() == nullptr || id == first || id == second;
  });
}

// The same work in either order: the other operands are of the same types.
bool are_alike(const Graph& graph, NodeId first, NodeId second, NodeId x) {
  const Node& a = graph.node(first);
  const Node& b = graph.node(second);
  if (!(*a.op() == *b.op()) || a.operands.size() != b.operands.size()) return false;
  std::vector<TensorType> of_a, of_b;
  for (const NodeId operand : a.operands)
    if (operand != x) of_a.push_back(graph.node(operand).type);
  for (const NodeId operand : b.operands)
    if (operand != first) of_b.push_back(graph.node(operand).type);
  return of_a == of_b;
}

}  // namespace

std::vector<Mutant> exchanges(const Graph& subprogram) {
  std::vector<Mutant> out;
  const NodeId second = subprogram.outputs()[0];
  for (const NodeId first : subprogram.node(second).operands) {
    if (subprogram.node(first).op() == nullptr || !holds_only(subprogram, first, second)) continue;
    for (const NodeId x : subprogram.node(first).operands) {
      if (subprogram.node(x).constant() != nullptr) continue;
      if (are_alike(subprogram, first, second, x)) continue;
      GraphBuilder b;
      const auto is_leaf = [&](NodeId id) { return subprogram.node(id).op() == nullptr; };
      GraphCopy leaves(subprogram, b, {.keep = is_leaf});
      if (!leaves.make_kept()) continue;
      const auto inner = reapply(b, subprogram, second, first, leaves.at(x), leaves);
      if (!inner) continue;
      const auto outer = reapply(b, subprogram, first, x, *inner, leaves);
      if (!outer) continue;
      b.add_output(*outer);
      out.push_back({std::move(b).build(),
                     {move::Exchange{subprogram.node(first).op()->def->name,
                                     subprogram.node(second).op()->def->name}}});
    }
  }
  return out;
}

}  // namespace pet::mutation
