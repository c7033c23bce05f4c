// Sums of whole values: what an addition adds, through additions that feed nothing else.
#pragma once

#include <vector>

#include "core/ir/graph.h"

namespace pet {

struct Addition {
  std::vector<NodeId> sums;  // operators that only add, in order of the program, the last one last
  std::vector<NodeId> addends;  // what they add, each of the result's shape
};

// The addition whose last operator is `id`, by its meaning: every operand once, at its own place,
// unscaled. Empty where `id` does anything else, adds a value twice, or has more addends than
// `most`. `consumers`: of the graph.
Addition addition_at(const Graph& graph, const std::vector<std::vector<NodeId>>& consumers,
                     NodeId id, std::size_t most = kAnyNumber);

}  // namespace pet
