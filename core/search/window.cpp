#include "core/search/window.h"

#include <algorithm>
#include <set>

namespace pet {
namespace {

// Operators that join many values (a concatenation of a whole block) would drag the block along.
constexpr std::size_t kMostOperands = 5;

bool may_join(const Graph& source, NodeId id) {
  return source.has_meaning(id) && source.node(id).operands.size() <= kMostOperands;
}

}  // namespace

MeasuredWindow measured_window(const Graph& source, const Subprogram& subprogram,
                               std::size_t reach) {
  const auto users = source.consumers();
  std::set<NodeId> inside(subprogram.nodes.begin(), subprogram.nodes.end());
  std::set<NodeId> before(subprogram.inputs.begin(), subprogram.inputs.end());
  std::set<NodeId> behind(subprogram.outputs.begin(), subprogram.outputs.end());
  for (std::size_t i = 0; i < reach; ++i) {
    std::set<NodeId> further;
    for (const NodeId id : before) {
      if (!may_join(source, id)) continue;
      inside.insert(id);
      for (const NodeId operand : source.node(id).operands) further.insert(operand);
    }
    before = std::move(further);
    further.clear();
    for (const NodeId id : behind) {
      for (const NodeId user : users[id.index()]) {
        if (!may_join(source, user)) continue;
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
