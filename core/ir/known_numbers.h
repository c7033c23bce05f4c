// Constants that are numbers to every proof (theory: section 6a), for operators that they decide.
#pragma once

#include "core/ir/graph.h"

namespace pet {

// Of constants of one float. (-0 is none: it has another reciprocal than 0.)
KnownNumbers known_numbers(const Graph& graph, const std::vector<NodeId>& operands);

}  // namespace pet
