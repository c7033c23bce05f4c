// What has to be there for some values of a program (Graph::needed_by_outputs: for its outputs).
#pragma once

#include <vector>

#include "core/ir/graph.h"

namespace pet {

// By node: not 0 where it is wanted, or what is wanted needs its value. `wanted`: by node.
std::vector<char> needed_by(const Graph& graph, std::vector<char> wanted);
std::vector<char> needed_by(const Graph& graph, NodeId wanted);

}  // namespace pet
