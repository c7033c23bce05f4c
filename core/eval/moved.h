// Values that are constants with their elements elsewhere: bits that nothing rounds.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/graph.h"

namespace pet {

// The floats of a value that only moves elements of constants, -0 and the smallest ones as they
// are; 0 where it reads none. Nothing where anything else is done to them.
// REQUIRES: the node's shape is known
std::optional<std::vector<float>> moved_constants(const Graph& graph, NodeId id);

}  // namespace pet
