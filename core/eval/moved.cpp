#include "core/eval/moved.h"

#include "core/eval/windows.h"

namespace pet {

std::optional<std::vector<float>> moved_constants(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.type.dtype != DType::Float) return std::nullopt;
  if (const Tensor* tensor = node.constant())
    return std::vector<float>(tensor->floats().begin(), tensor->floats().end());
  if (!graph.has_meaning(id) || !is_data_movement(graph.meaning(id))) return std::nullopt;
  const IndexedSum& sum = graph.meaning(id).sum;
  std::vector<float> out(static_cast<std::size_t>(count(sum.out)));
  for (const Term& term : sum.terms) {
    const Access& access = term.factors.front();
    const NodeId operand = node.operands[static_cast<std::size_t>(access.operand)];
    const auto from = moved_constants(graph, operand);
    if (!from) return std::nullopt;
    const auto plan = compile_read(access, term.guards, sum.out, *graph.node(operand).type.shape);
    const auto offsets = read_offsets(plan);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (offsets[i] >= 0) out[i] = (*from)[static_cast<std::size_t>(offsets[i])];
    }
  }
  return out;
}

}  // namespace pet
