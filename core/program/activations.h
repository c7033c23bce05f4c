// Which operators of a program compute with activations, and how: what splitting looks at.
#pragma once

#include <vector>

#include "core/ir/graph.h"

namespace pet {

// Whether the operator is a sum of products of computed values and functions of constants.
bool is_linear_in_activations(const Graph& graph, NodeId id);

}  // namespace pet
