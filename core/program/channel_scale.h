// What the results of an operator scale with along one of their axes, read off its meaning: the
// constant weights that every term has one of, and the bias that is added. Whoever multiplies the
// results along that axis may multiply the weights and the bias instead. Operators that sum
// products, that is: what multiplies element by element is no layer with a weight.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/builder.h"
#include "core/ir/graph.h"

namespace pet {

// An operand that is read at the channel itself along `axis`; or, of an operator with groups, at
// the group along `outer` and at the channel inside of the group along `axis`, which comes later.
struct ScaledWeight {
  std::size_t operand = 0;
  std::size_t axis = 0;
  std::optional<std::size_t> outer;

  bool operator==(const ScaledWeight&) const = default;
};

enum class BiasPlace { Operand, Room, Apart };

struct ChannelScale {
  std::vector<ScaledWeight> weights;
  BiasPlace place = BiasPlace::Apart;
  std::size_t bias = 0;  // that operand, where one is or has room
};

// Along `axis` of its results; nothing where it does not scale. REQUIRES: the axis is there
std::optional<ChannelScale> channel_scale(const Graph& graph, NodeId id, std::size_t axis);

// The weight `w` with its channels multiplied by `scale`, of shape {channels}.
Result<NodeId> scaled(GraphBuilder& builder, NodeId w, const ScaledWeight& weight, NodeId scale);

}  // namespace pet
