// An operator that multiplies one operand by a number and adds another, both constant and the same
// along all axes but one: a normalisation by stored numbers, a product or a sum with constants.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/graph.h"

namespace pet {

struct ChannelMap {
  std::size_t data = 0;             // the operand that is mapped, the one that is no constant
  std::optional<std::size_t> axis;  // along which the numbers differ; nothing: they do not
  bool scales = false;              // not a sum alone
  // What is only added: with zeros in their places the operator scales and does nothing else.
  std::vector<std::size_t> offsets;
};

// Read off its meaning; nothing where it is none. REQUIRES: the id is one of the graph
std::optional<ChannelMap> channel_map(const Graph& graph, NodeId id);

}  // namespace pet
