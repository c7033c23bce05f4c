// Two linear operators, one reading the other, applied in the other order: a pool before the 1x1
// convolution that stood in front of it. Each keeps its attributes and its other operands.
#include <fmt/format.h>

#include "core/ir/builder.h"
#include "core/program/mutate/generator.h"

namespace pet {
namespace {

// `op` on `x` in the place of `old`, the other operands (constants and inputs) as they are.
Result<NodeId> reapply(GraphBuilder& b, const Graph& from, NodeId node, NodeId old, NodeId x,
                       const std::vector<NodeId>& place) {
  std::vector<NodeId> operands;
  for (const NodeId operand : from.node(node).operands)
    operands.push_back(operand == old ? x : place[operand.index()]);
  return b.add(*from.node(node).op(), std::move(operands));
}

}  // namespace

std::vector<Mutant> exchanges(const Graph& subprogram) {
  std::vector<Mutant> out;
  const NodeId second = subprogram.outputs()[0];
  for (const NodeId first : subprogram.node(second).operands) {
    if (subprogram.node(first).op() == nullptr) continue;
    for (const NodeId x : subprogram.node(first).operands) {
      if (subprogram.node(x).constant() != nullptr) continue;
      GraphBuilder b;
      std::vector<NodeId> place(subprogram.nodes().size());
      bool leaves_only = true;
      for (const NodeId id : subprogram.ids()) {
        const Node& node = subprogram.node(id);
        if (node.input() != nullptr)
          place[id.index()] = b.add_input(node.input()->name, node.type);
        else if (node.constant() != nullptr)
          place[id.index()] = b.add_constant(std::get<ConstantLeaf>(node.what), node.name);
        else
          leaves_only = leaves_only && (id == first || id == second);
      }
      if (!leaves_only) continue;
      const auto inner = reapply(b, subprogram, second, first, place[x.index()], place);
      if (!inner) continue;
      const auto outer = reapply(b, subprogram, first, x, *inner, place);
      if (!outer) continue;
      b.add_output(*outer);
      out.push_back({std::move(b).build(),
                     fmt::format("exchange {} and {}", subprogram.node(first).op()->def->name,
                                 subprogram.node(second).op()->def->name)});
    }
  }
  return out;
}

}  // namespace pet
