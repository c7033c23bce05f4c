#include "verify/places/claims.h"

#include <algorithm>
#include <string>

#include "verify/places/views.h"

namespace pet::places {
namespace {

// Operators that stay as they are when a network is rewritten around them.
bool is_landmark(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  return node.op() != nullptr &&
         (!graph.has_meaning(id) || !graph.meaning(id).applications.empty());
}

std::map<Digest, std::vector<NodeId>> landmarks(const Graph& graph) {
  std::map<Digest, std::vector<NodeId>> out;
  for (const NodeId id : graph.ids())
    if (is_landmark(graph, id)) out[graph.what_is(id)].push_back(id);
  return out;
}

}  // namespace

std::vector<std::pair<NodeId, NodeId>> suggested_pairs(const Graph& original, const Graph& mutant) {
  std::vector<std::pair<NodeId, NodeId>> out;
  const auto suggest_with_operands = [&](NodeId theirs, NodeId mine) {
    out.emplace_back(theirs, mine);
    const auto& a = original.node(theirs).operands;
    const auto& b = mutant.node(mine).operands;
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) out.emplace_back(a[k], b[k]);
  };
  std::map<std::string, NodeId> named;
  for (const NodeId id : original.ids()) {
    const Node& node = original.node(id);
    if (node.op() != nullptr && !node.name.empty()) named.emplace(node.name, id);
  }
  for (const NodeId id : mutant.ids()) {
    const auto it = named.find(mutant.node(id).name);
    if (it == named.end()) continue;
    if (original.what_is(it->second) == mutant.what_is(id)) {
      suggest_with_operands(it->second, id);
    } else {
      out.emplace_back(it->second, id);
    }
  }
  for (std::size_t i = 0; i < mutant.outputs().size(); ++i)
    out.emplace_back(original.outputs()[i], mutant.outputs()[i]);
  const auto theirs = landmarks(original);
  for (const auto& [what, mine] : landmarks(mutant)) {
    const auto it = theirs.find(what);
    if (it == theirs.end()) continue;
    for (std::size_t i = 0; i < std::min(mine.size(), it->second.size()); ++i)
      suggest_with_operands(it->second[i], mine[i]);
  }
  return out;
}

Claims::Claims(const Graph& original, const Graph& mutant) : claims_(mutant.nodes().size()) {
  std::vector<std::vector<NodeId>> moved(original.nodes().size());  // by node, in other orders
  for (const NodeId id : original.ids()) {
    if (order_of(original, id)) moved[original.node(id).operands[0].index()].push_back(id);
  }
  const auto claim = [&](NodeId theirs, NodeId mine) {
    auto& claims = claims_[mine.index()];
    const TensorType& type = mutant.node(mine).type;
    if (original.node(theirs).type == type && type.shape &&
        std::ranges::find(claims, theirs) == claims.end())
      claims.push_back(theirs);
  };
  for (const auto& [theirs, mine] : suggested_pairs(original, mutant)) {
    if (mutant.node(mine).op() == nullptr) continue;
    claim(theirs, mine);
    for (const NodeId other : moved[theirs.index()]) claim(other, mine);
    // Behind the way there and back.
    const auto order = order_of(original, theirs);
    if (order) claim(original.node(theirs).operands[0], mine);
  }
}

}  // namespace pet::places
