#include "core/program/sums.h"

#include <algorithm>

namespace pet {
namespace {

bool reads_in_place(const Term& term, const Shape& shape) {
  if (term.coef.scale != 1 || !term.coef.tables.empty() || !term.reduce.empty() ||
      !term.guards.empty() || term.factors.size() != 1)
    return false;
  // Of an axis of one position the index may be a number.
  const auto& index = term.factors[0].index;
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (index[d] != v(d) && shape[d] != 1) return false;
  }
  return index.size() == shape.size();
}

bool only_adds(const Graph& graph, NodeId id) {
  if (graph.node(id).operands.size() < 2 || !graph.has_meaning(id)) return false;
  const Meaning& meaning = graph.meaning(id);
  if (!meaning.applications.empty() || meaning.sum.terms.size() != graph.node(id).operands.size())
    return false;
  std::vector<char> read(meaning.sum.terms.size(), 0);
  for (const Term& term : meaning.sum.terms) {
    if (!reads_in_place(term, meaning.sum.out)) return false;
    read[static_cast<std::size_t>(term.factors[0].operand)] = 1;
  }
  const auto shapes = graph.operand_shapes(id);
  return std::find(read.begin(), read.end(), 0) == read.end() &&
         std::all_of(shapes.begin(), shapes.end(),
                     [&](const Shape& shape) { return shape == meaning.sum.out; });
}

}  // namespace

Addition addition_at(const Graph& graph, const std::vector<std::vector<NodeId>>& consumers,
                     NodeId id, std::size_t most) {
  if (!only_adds(graph, id)) return {};
  const auto& outputs = graph.outputs();
  const auto feeds_nothing_else = [&](NodeId value) {
    return consumers[value.index()].size() == 1 &&
           std::find(outputs.begin(), outputs.end(), value) == outputs.end();
  };
  Addition out;
  std::vector<NodeId> open = {id};
  while (!open.empty()) {
    const NodeId sum = open.back();
    open.pop_back();
    out.sums.push_back(sum);
    for (const NodeId operand : graph.node(sum).operands) {
      if (feeds_nothing_else(operand) && only_adds(graph, operand))
        open.push_back(operand);
      else
        out.addends.push_back(operand);
    }
    if (open.size() + out.addends.size() > most) return {};  // what is open has an addend at least
  }
  std::sort(out.sums.begin(), out.sums.end());
  std::sort(out.addends.begin(), out.addends.end());
  if (std::adjacent_find(out.addends.begin(), out.addends.end()) != out.addends.end()) return {};
  return out;
}

}  // namespace pet
