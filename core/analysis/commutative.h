// Whether an operator takes its two operands in either order, read from what it means.
#pragma once

#include "core/ir/graph.h"

namespace pet {

// Its value is the same sum of products with both operands exchanged, as far as that is seen where
// both have the shape of the result: for people who compare programs, not for proofs.
bool is_commutative(const Graph& graph, NodeId id);

}  // namespace pet
