// Two programs in one order: what stands in both is one entry, and comes after all that it reads in
// either of them. So both can be drawn side by side with what they share at one height.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/ir/graph.h"

namespace pet {

using NodePair = std::pair<NodeId, NodeId>;  // a node of the one program, one of the other

struct JointEntry {
  std::optional<NodeId> here, there;  // one of them at least
};

// A node that takes part in no pair is an entry by itself. Pairs that would have to come before
// themselves are taken apart: of `loose` as many as it needs, of `firm` only where they cross each
// other. REQUIRES: each node in one pair at most
std::vector<JointEntry> joint_order(const Graph& here, const Graph& there,
                                    const std::vector<NodePair>& firm,
                                    const std::vector<NodePair>& loose);

}  // namespace pet
