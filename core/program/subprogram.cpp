#include "core/program/subprogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/ir/builder.h"
#include "core/util/check.h"

namespace pet {

Result<NodeId> copy_node(GraphBuilder& builder, const Node& node, std::vector<NodeId> operands) {
  if (const auto* leaf = std::get_if<ConstantLeaf>(&node.what))
    return builder.add_constant(*leaf, node.name);
  const Op* op = node.op();
  PET_CHECK(op != nullptr, "inputs are copied by the caller");
  if (op->def->lower != nullptr) return builder.add(*op, std::move(operands), node.name);
  return builder.add_opaque(*op, std::move(operands), node.type, node.name);
}

Subprogram extract(const Graph& source, std::span<const NodeId> nodes) {
  Subprogram out;
  out.nodes.assign(nodes.begin(), nodes.end());
  std::sort(out.nodes.begin(), out.nodes.end());
  const std::set<NodeId> inside(out.nodes.begin(), out.nodes.end());
  GraphBuilder builder;
  for (const NodeId id : out.nodes) {
    PET_CHECK(source.has_meaning(id), "a subprogram holds operators with a meaning only");
    std::vector<NodeId> operands;
    for (const NodeId operand : source.node(id).operands) {
      if (!out.place.contains(operand)) {
        const Node& outside = source.node(operand);
        if (const auto* leaf = std::get_if<ConstantLeaf>(&outside.what)) {
          out.place[operand] = builder.add_constant(*leaf, outside.name);
        } else {
          out.place[operand] =
              builder.add_input(fmt::format("in{}", out.inputs.size()), outside.type);
          out.inputs.push_back(operand);
        }
      }
      operands.push_back(out.place[operand]);
    }
    auto copied = copy_node(builder, source.node(id), std::move(operands));
    PET_CHECK(copied.ok(), "what the source holds can be built again");
    out.place[id] = *copied;
  }
  const auto users = source.consumers();
  const auto& results = source.outputs();
  for (const NodeId id : out.nodes) {
    const auto& list = users[id.index()];
    const bool used_outside =
        std::any_of(list.begin(), list.end(), [&](NodeId user) { return !inside.contains(user); });
    if (!used_outside && std::find(results.begin(), results.end(), id) == results.end()) continue;
    builder.add_output(out.place[id]);
    out.outputs.push_back(id);
  }
  out.program = std::move(builder).build();
  return out;
}

Result<std::vector<NodeId>> append(GraphBuilder& builder, const Graph& program,
                                   std::span<const NodeId> inputs) {
  PET_CHECK(inputs.size() == program.inputs().size(), "one value an input");
  std::vector<NodeId> place(program.nodes().size());
  for (std::size_t i = 0; i < inputs.size(); ++i) place[program.inputs()[i].index()] = inputs[i];
  for (const NodeId id : program.ids()) {
    const Node& node = program.node(id);
    if (node.input() != nullptr) continue;
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) operands.push_back(place[operand.index()]);
    auto copied = copy_node(builder, node, std::move(operands));
    if (!copied) return std::move(copied).error();
    place[id.index()] = *copied;
  }
  std::vector<NodeId> outputs;
  for (const NodeId output : program.outputs()) outputs.push_back(place[output.index()]);
  return outputs;
}

Result<Graph> with_replaced(const Graph& source, const Graph& program,
                            std::span<const NodeId> inputs, std::span<const NodeId> outputs) {
  // The nodes that are still needed once `outputs` come from elsewhere.
  const std::set<NodeId> replaced(outputs.begin(), outputs.end());
  std::vector<char> needed(source.nodes().size(), 0);
  for (const NodeId id : source.outputs()) needed[id.index()] = 1;
  for (std::size_t i = needed.size(); i-- > 0;) {
    if (needed[i] == 0) continue;
    if (replaced.contains(NodeId(i))) {
      for (const NodeId input : inputs) needed[input.index()] = 1;
    } else {
      for (const NodeId operand : source.node(NodeId(i)).operands) needed[operand.index()] = 1;
    }
  }
  GraphBuilder builder;
  std::vector<NodeId> place(source.nodes().size());
  bool appended = false;
  const NodeId first_replaced = *replaced.begin();
  for (const NodeId id : source.inputs()) {
    place[id.index()] = builder.add_input(source.node(id).input()->name, source.node(id).type);
  }
  for (const NodeId id : source.ids()) {
    const Node& node = source.node(id);
    if (id == first_replaced && !appended) {
      std::vector<NodeId> from;
      for (const NodeId input : inputs) {
        PET_CHECK(input < first_replaced, "a replaced value comes after what it is computed from");
        from.push_back(place[input.index()]);
      }
      auto results = append(builder, program, from);
      if (!results) return std::move(results).error();
      for (std::size_t j = 0; j < outputs.size(); ++j) place[outputs[j].index()] = (*results)[j];
      appended = true;
    }
    if (node.input() != nullptr || needed[id.index()] == 0 || replaced.contains(id)) continue;
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) operands.push_back(place[operand.index()]);
    auto copied = copy_node(builder, node, std::move(operands));
    if (!copied) return std::move(copied).error();
    place[id.index()] = *copied;
  }
  for (const NodeId id : source.outputs()) builder.add_output(place[id.index()]);
  return std::move(builder).build();
}

}  // namespace pet
