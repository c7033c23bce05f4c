#include "core/eval/moved.h"

#include <map>
#include <set>

#include "core/eval/windows.h"

namespace pet {

namespace {

// The node and what its value is moved from, operands first; nothing where something is computed.
std::optional<std::set<NodeId>> all_moved(const Graph& graph, NodeId id) {
  std::set<NodeId> out = {id};
  std::vector<NodeId> open = {id};
  while (!open.empty()) {
    const NodeId next = open.back();
    open.pop_back();
    const Node& node = graph.node(next);
    if (node.type.dtype != DType::Float) return std::nullopt;
    if (node.constant() != nullptr) continue;
    if (!graph.has_meaning(next) || !is_data_movement(graph.meaning(next))) return std::nullopt;
    for (const Term& term : graph.meaning(next).sum.terms) {
      const NodeId from = node.operands[static_cast<std::size_t>(term.factors.front().operand)];
      if (out.insert(from).second) open.push_back(from);
    }
  }
  return out;
}

}  // namespace

std::optional<std::vector<float>> moved_constants(const Graph& graph, NodeId id) {
  const auto nodes = all_moved(graph, id);
  if (!nodes) return std::nullopt;
  std::map<NodeId, std::vector<float>> values;
  for (const NodeId next : *nodes) {
    const Node& node = graph.node(next);
    std::vector<float>& out = values[next];
    if (const Tensor* tensor = node.constant()) {
      out.assign(tensor->floats().begin(), tensor->floats().end());
      continue;
    }
    const IndexedSum& sum = graph.meaning(next).sum;
    out.resize(static_cast<std::size_t>(count(sum.out)));
    for (const Term& term : sum.terms) {
      const Access& access = term.factors.front();
      const NodeId operand = node.operands[static_cast<std::size_t>(access.operand)];
      const std::vector<float>& from = values.at(operand);
      const auto plan = compile_read(access, term.guards, sum.out, *graph.node(operand).type.shape);
      const auto offsets = read_offsets(plan);
      for (std::size_t i = 0; i < out.size(); ++i) {
        if (offsets[i] >= 0) out[i] = from[static_cast<std::size_t>(offsets[i])];
      }
    }
  }
  return std::move(values.at(id));
}

}  // namespace pet
