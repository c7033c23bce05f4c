#include "verify/rounding/comparisons.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/util/printable.h"

namespace pet {
namespace {

// By node: whether anything on the way to it is rounded.
std::vector<char> rounded(const Graph& mutant) {
  std::vector<char> out(mutant.nodes().size(), 0);
  for (const NodeId id : mutant.ids()) {
    const auto& operands = mutant.node(id).operands;
    const bool rounds = mutant.has_meaning(id) && !is_data_movement(mutant.meaning(id));
    const bool follows =
        std::ranges::any_of(operands, [&](NodeId operand) { return out[operand.index()] != 0; });
    out[id.index()] = rounds || follows ? 1 : 0;
  }
  return out;
}

bool may_compare(const Graph& graph, NodeId id) {
  if (!graph.has_meaning(id)) return is_opaque(graph.node(id));
  return std::ranges::any_of(graph.meaning(id).applications, [](const Application& a) {
    return a.function->jumps == Jumps::AtTies;
  });
}

// What a value is moved from.
NodeId source_of(const Graph& graph, NodeId id) {
  while (graph.has_meaning(id) && is_data_movement(graph.meaning(id)) &&
         graph.node(id).operands.size() == 1)
    id = graph.node(id).operands.front();
  return id;
}

}  // namespace

Result<std::string> objection_to_comparisons(const Graph& mutant, const ValueTable& table,
                                             const ValueTable& computed, ResidueStore& store) {
  const auto is_rounded = rounded(mutant);
  const auto are_two_ways = [&](NodeId a, NodeId b) {
    return (is_rounded[a.index()] != 0 || is_rounded[b.index()] != 0) &&
           computed.of_mutant(source_of(mutant, a)) != computed.of_mutant(source_of(mutant, b));
  };
  for (const NodeId id : mutant.ids()) {
    const Node& node = mutant.node(id);
    if (!may_compare(mutant, id) || !computed.is_new(computed.of_mutant(id))) continue;
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (!are_two_ways(node.operands[k], node.operands[i])) continue;
        const auto first = store.digest(table.of_mutant(node.operands[k]));
        if (!first) return first.error();
        const auto second = store.digest(table.of_mutant(node.operands[i]));
        if (!second) return second.error();
        if (*first != *second) continue;
        return fmt::format("rounding: '{}' reads one value twice, and rounded in two ways",
                           printable(node.name));
      }
    }
  }
  return std::string{};
}

}  // namespace pet
