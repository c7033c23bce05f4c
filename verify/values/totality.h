// Which operators are not defined for all that they read, and what counts as read (theory: section
// 6).
#pragma once

#include "core/ir/graph.h"

namespace pet {

// Whether an element function of the operator is not defined for all arguments.
bool applies_partial_function(const Graph& graph, NodeId id);

// A product with a factor outside of its tensor (padding) is 0, and runtimes multiply all the same:
// whether its other factors count as used.
enum class BesideHoles { Unused, Used };

}  // namespace pet
