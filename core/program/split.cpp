#include "core/program/split.h"

#include <algorithm>

namespace pet {
namespace {

bool depends_on_inputs(const Graph& graph, NodeId id, std::vector<char>& known) {
  char& state = known[id.index()];
  if (state == 0) {  // operands come earlier and are known
    const Node& node = graph.node(id);
    bool depends =
        node.input() != nullptr || (node.op() != nullptr && node.op()->def->lower == nullptr);
    for (const NodeId operand : node.operands) depends = depends || known[operand.index()] == 2;
    state = depends ? 2 : 1;
  }
  return state == 2;
}

}  // namespace

bool is_linear_in_activations(const Graph& graph, NodeId id) {
  if (!graph.has_meaning(id) || graph.node(id).type.dtype != DType::Float) return false;
  const Node& node = graph.node(id);
  const auto reads_constant = [&](const Access& access) {
    const auto i = static_cast<std::size_t>(access.operand);
    return i < node.operands.size() && graph.node(node.operands[i]).constant() != nullptr;
  };
  const Meaning meaning = graph.meaning(id);
  return std::all_of(meaning.applications.begin(), meaning.applications.end(),
                     [&](const Application& application) {
                       return std::all_of(application.elements.begin(), application.elements.end(),
                                          reads_constant) &&
                              (!application.window || reads_constant(application.window->read));
                     });
}

std::vector<Subprogram> split(const Graph& program, const SplitOptions& options) {
  std::vector<char> known(program.nodes().size(), 0);
  std::vector<char> linear(program.nodes().size(), 0);
  for (const NodeId id : program.ids()) {
    const bool live = depends_on_inputs(program, id, known);
    linear[id.index()] = live && is_linear_in_activations(program, id) ? 1 : 0;
  }
  const auto users = program.consumers();
  const auto& outputs = program.outputs();
  std::vector<std::vector<NodeId>> chains;
  for (const NodeId id : program.ids()) {
    if (linear[id.index()] != 0) chains.push_back({id});
  }
  for (std::size_t next = 0; next < chains.size(); ++next) {
    const std::vector<NodeId> chain = chains[next];
    const NodeId last = chain.back();
    const bool is_output = std::find(outputs.begin(), outputs.end(), last) != outputs.end();
    if (chain.size() == options.max_operators || is_output || users[last.index()].size() != 1)
      continue;
    const NodeId reader = users[last.index()].front();
    if (linear[reader.index()] == 0) continue;
    chains.push_back(chain);
    chains.back().push_back(reader);
  }
  std::vector<Subprogram> out;
  for (const auto& chain : chains) out.push_back(extract(program, chain));
  return out;
}

}  // namespace pet
