#include "core/program/activations.h"

#include <algorithm>

namespace pet {

bool is_linear_in_activations(const Graph& graph, NodeId id) {
  if (!graph.has_meaning(id) || graph.node(id).type.dtype != DType::Float) return false;
  const Node& node = graph.node(id);
  const auto reads_constant = [&](const Access& access) {
    const auto i = static_cast<std::size_t>(access.operand);
    return i < node.operands.size() && graph.node(node.operands[i]).constant() != nullptr;
  };
  const Meaning& meaning = graph.meaning(id);
  return std::all_of(meaning.applications.begin(), meaning.applications.end(),
                     [&](const Application& application) {
                       return std::all_of(application.elements.begin(), application.elements.end(),
                                          reads_constant) &&
                              (!application.window || reads_constant(application.window->read));
                     });
}

}  // namespace pet
