#include "core/egraph/costs.h"

#include <algorithm>

#include "core/ir/builder.h"

namespace pet::egraph {
namespace {

// A number is taken as the constant that it is: operators may mean something else beside it.
bool is_extractable(const EGraph& graph, ENodeId node) {
  if (graph.node(node).is_banned) return false;
  const EClass& home = graph.at(graph.class_of(node));
  if (home.number) return graph.what(node).constant() != nullptr;
  return !home.is_weight || graph.is_weight(node);
}

Result<NodeId> made(GraphBuilder& builder, const Operator& what, std::vector<NodeId> operands,
                    const EClass& home) {
  if (const auto* constant = std::get_if<ConstantLeaf>(&what.what))
    return builder.add_constant(*constant, home.name);
  const Op& op = *what.op();
  if (op.def->lower == nullptr)
    return builder.add_opaque(op, std::move(operands), home.type, home.name);
  return builder.add(op, std::move(operands), home.name);
}

}  // namespace

double Costs::of(const EGraph& graph, ENodeId node) const {
  const Operator& what = graph.what(node);
  if (what.op() == nullptr || graph.is_weight(node)) return 0;
  PricedOperator priced{*what.op(), graph.operand_types(node), {}, among_own_layout_};
  for (const ClassId operand : graph.node(node).operands)
    priced.weights.push_back(static_cast<char>(graph.at(operand).is_weight));
  return costs_.ms(priced);
}

Extraction extraction_of(const Program& program, const Costs& costs) {
  Extraction out;
  std::map<ClassId, Number> numbers;
  const auto number_of = [&](ClassId id) {
    const auto [it, is_new] = numbers.emplace(id, static_cast<Number>(out.classes.size()));
    if (is_new) out.classes.push_back(id);
    return it->second;
  };
  const EGraph& graph = program.graph;
  for (const ENodeId output : program.outputs)
    out.problem.roots.push_back(number_of(graph.class_of(output)));
  for (std::size_t next = 0; next < out.classes.size(); ++next) {
    auto& nodes = out.problem.classes.emplace_back();
    for (const ENodeId node : graph.at(out.classes[next]).nodes) {
      if (!is_extractable(graph, node)) continue;
      nodes.push_back(static_cast<Number>(out.nodes.size()));
      out.nodes.push_back(node);
      auto& one = out.problem.nodes.emplace_back();
      one.cost = costs.of(graph, node);
      for (const ClassId operand : graph.operands(node)) one.children.push_back(number_of(operand));
    }
  }
  return out;
}

Result<Graph> chosen_program(const Program& program, const Extraction& extraction,
                             const Choice& choice) {
  GraphBuilder builder;
  std::map<std::string, NodeId> inputs;
  for (const auto& [name, type] : program.inputs)
    inputs.emplace(name, builder.add_input(name, type));
  std::vector<std::optional<NodeId>> places(extraction.classes.size());
  for (const Number number : needed(extraction.problem, choice)) {
    const Operator& what = program.graph.what(extraction.nodes[choice[number]]);
    if (what.input() != nullptr) {
      places[number] = inputs.at(what.input()->name);
      continue;
    }
    std::vector<NodeId> operands;
    for (const Number child : extraction.problem.nodes[choice[number]].children)
      operands.push_back(*places[child]);
    const EClass& home = program.graph.at(extraction.classes[number]);
    auto node = made(builder, what, std::move(operands), home);
    if (!node) return std::move(node).error();
    if (builder.type(*node) != home.type)
      return Error{"a value of the chosen program has another type", ErrorKind::Unsupported};
    places[number] = *node;
  }
  for (const Number root : extraction.problem.roots) builder.add_output(*places[root]);
  return std::move(builder).build();
}

}  // namespace pet::egraph
