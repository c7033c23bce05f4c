#include "core/search/window.h"

#include <algorithm>
#include <set>

#include "core/analysis/rearranged.h"

namespace pet {
namespace {

// Operators that join many values (a concatenation of a whole block) would drag the block along.
constexpr std::size_t kMostOperands = 5;

bool may_join(const Graph& source, NodeId id, Neighbours neighbours) {
  const Node& node = source.node(id);
  if (!source.has_meaning(id) || node.operands.size() > kMostOperands) return false;
  if (neighbours == Neighbours::All) return true;
  AxisOrder reversed = identity_order(node.type.shape->size());
  std::reverse(reversed.begin(), reversed.end());
  return rearranged(source, id, reversed).has_value();
}

}  // namespace

MeasuredWindow measured_window(const Graph& source, const Subprogram& subprogram, std::size_t reach,
                               Neighbours neighbours) {
  const auto users = source.consumers();
  std::set<NodeId> inside(subprogram.nodes.begin(), subprogram.nodes.end());
  std::set<NodeId> before(subprogram.inputs.begin(), subprogram.inputs.end());
  std::set<NodeId> behind(subprogram.outputs.begin(), subprogram.outputs.end());
  for (std::size_t i = 0; i < reach; ++i) {
    std::set<NodeId> further;
    for (const NodeId id : before) {
      if (!may_join(source, id, neighbours)) continue;
      inside.insert(id);
      for (const NodeId operand : source.node(id).operands) further.insert(operand);
    }
    before = std::move(further);
    further.clear();
    for (const NodeId id : behind) {
      for (const NodeId user : users[id.index()]) {
        if (!may_join(source, user, neighbours)) continue;
        inside.insert(user);
        further.insert(user);
      }
    }
    behind = std::move(further);
  }
  const std::vector<NodeId> nodes(inside.begin(), inside.end());
  Subprogram window = extract(source, nodes);
  MeasuredWindow out{std::move(window.program), {}, {}};
  for (const NodeId id : subprogram.inputs) out.inputs.push_back(window.place.at(id));
  for (const NodeId id : subprogram.outputs) out.outputs.push_back(window.place.at(id));
  return out;
}

}  // namespace pet
