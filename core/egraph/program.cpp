#include "core/egraph/program.h"

namespace pet::egraph {
namespace {

// Nodes of a program put into an e-graph, one after another.
class Adding {
 public:
  Adding(EGraph& graph, const Graph& from, std::size_t made_by)
      : graph_(graph), from_(from), made_by_(made_by), places_(from.nodes().size()) {}

  void put(NodeId id, ENodeId place) { places_[id.index()] = place; }
  const ENodeId& at(NodeId id) const { return *places_[id.index()]; }

  Added run() {
    const auto needed = from_.needed_by_outputs();
    Added out;
    for (const NodeId id : from_.ids()) {
      if (places_[id.index()] || needed[id.index()] == 0) continue;
      places_[id.index()] = make(id);
      out.nodes.push_back(at(id));
      note(id, out);
    }
    for (const NodeId id : from_.outputs()) out.outputs.push_back(at(id));
    return out;
  }

 private:
  ENodeId make(NodeId id) {
    const Node& node = from_.node(id);
    std::vector<ClassId> operands;
    for (const NodeId operand : node.operands) operands.push_back(graph_.class_of(at(operand)));
    const bool is_original = made_by_ == kOriginal;
    return graph_.add({node.what, from_.what_is(id)}, std::move(operands), node.type, made_by_,
                      is_original ? node.name : std::string());
  }

  void note(NodeId id, Added& out) const {
    const ENode& made = graph_.node(at(id));
    const auto& operands = from_.node(id).operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const ENodeId called(made.operands[i].index());
      if (called != at(operands[i])) out.relies_on.emplace_back(called, at(operands[i]));
    }
  }

  EGraph& graph_;
  const Graph& from_;
  const std::size_t made_by_;
  std::vector<std::optional<ENodeId>> places_;
};

}  // namespace

Program program_of(const Graph& original) {
  Program out;
  Adding adding(out.graph, original, kOriginal);
  const Added added = adding.run();
  for (const NodeId id : original.inputs())
    out.inputs.emplace_back(original.node(id).input()->name, original.node(id).type);
  out.outputs = added.outputs;
  return out;
}

Added add_to(EGraph& graph, const Graph& program, const std::vector<ENodeId>& inputs,
             std::size_t made_by) {
  Adding adding(graph, program, made_by);
  for (std::size_t i = 0; i < program.inputs().size(); ++i)
    adding.put(program.inputs()[i], inputs[i]);
  return adding.run();
}

}  // namespace pet::egraph
