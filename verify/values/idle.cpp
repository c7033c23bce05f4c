#include "verify/values/idle.h"

#include <algorithm>

#include "core/ir/builder.h"
#include "core/program/subprogram.h"
#include "core/util/check.h"
#include "verify/values/value_table.h"

namespace pet {

std::optional<Graph> without_idle(const Graph& program) {
  const std::size_t size = program.nodes().size();
  std::vector<char> needed(size, 0);
  for (const NodeId id : program.outputs()) needed[id.index()] = 1;
  for (std::size_t i = size; i-- > 0;) {
    const Node& node = program.node(NodeId(i));
    if (node.op() == nullptr || is_opaque(node)) needed[i] = 1;
    if (needed[i] == 0) continue;
    for (const NodeId operand : node.operands) needed[operand.index()] = 1;
  }
  if (std::ranges::find(needed, 0) == needed.end()) return std::nullopt;
  GraphBuilder builder;
  std::vector<NodeId> place(size);
  for (const NodeId id : program.inputs())
    place[id.index()] = builder.add_input(program.node(id).input()->name, program.node(id).type);
  for (const NodeId id : program.ids()) {
    const Node& node = program.node(id);
    if (needed[id.index()] == 0 || node.input() != nullptr) continue;
    std::vector<NodeId> operands;
    for (const NodeId operand : node.operands) operands.push_back(place[operand.index()]);
    const auto copied = copy_node(builder, node, std::move(operands));
    PET_CHECK(copied.ok(), "what was built can be built again");
    place[id.index()] = *copied;
  }
  for (const NodeId id : program.outputs()) builder.add_output(place[id.index()]);
  return std::move(builder).build();
}

}  // namespace pet
