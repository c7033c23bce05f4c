#include "verify/places/claims.h"

#include <algorithm>
#include <map>
#include <string>

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
  for (const NodeId id : graph.ids()) {
    if (!is_landmark(graph, id)) continue;
    const Node& node = graph.node(id);
    const Digest key =
        Digester("landmark").add(graph.what_is(id)).add(to_string(node.type)).finish();
    out[key].push_back(id);
  }
  return out;
}

}  // namespace

Claims::Claims(const Graph& original, const Graph& mutant)
    : original_(original), mutant_(mutant), claims_(mutant.nodes().size()) {
  std::map<std::string, NodeId> named;
  for (const NodeId id : original.ids()) {
    const Node& node = original.node(id);
    if (node.op() != nullptr && !node.name.empty()) named.emplace(node.name, id);
  }
  for (const NodeId id : mutant.ids()) {
    const auto it = named.find(mutant.node(id).name);
    if (it == named.end()) continue;
    claim(it->second, id);
    if (original.what_is(it->second) == mutant.what_is(id)) claim_operands(it->second, id);
  }
  for (std::size_t i = 0; i < mutant.outputs().size(); ++i)
    claim(original.outputs()[i], mutant.outputs()[i]);
  const auto theirs = landmarks(original);
  for (const auto& [key, mine] : landmarks(mutant)) {
    const auto it = theirs.find(key);
    if (it == theirs.end()) continue;
    for (std::size_t i = 0; i < std::min(mine.size(), it->second.size()); ++i)
      claim_operands(it->second[i], mine[i]);
  }
}

std::vector<NodeId> Claims::of(NodeId mine) const { return claims_[mine.index()]; }

void Claims::claim_operands(NodeId theirs, NodeId mine) {
  const auto& a = original_.node(theirs).operands;
  const auto& b = mutant_.node(mine).operands;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) claim(a[k], b[k]);
}

void Claims::claim(NodeId theirs, NodeId mine) {
  auto& of_mine = claims_[mine.index()];
  if (mutant_.node(mine).op() == nullptr || original_.node(theirs).type != mutant_.node(mine).type ||
      !mutant_.node(mine).type.shape || std::ranges::find(of_mine, theirs) != of_mine.end())
    return;
  of_mine.push_back(theirs);
}

}  // namespace pet::places
