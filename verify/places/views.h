// Pairs under an order of axes: a value of the mutant that is one of the original's with its axes
// in another order. The original is written so that such a value stands in it: u, u with its axes
// as the mutant has them, and back again for all that reads u. That moves elements and no more, and
// so every pair is one of equal values.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/graph.h"

namespace pet::places {

using AxisOrder = std::vector<std::int64_t>;  // the old axes by new place

AxisOrder inverse(const AxisOrder& order);

// The original with orders of axes in which the mutant may have its values, as shapes and the order
// of equal functions suggest; nothing where all seem to stand alike.
std::optional<Graph> with_views(const Graph& original, const Graph& mutant);

// The order in which a node has the axes of its operand, where it does nothing else.
std::optional<AxisOrder> order_of(const Graph& graph, NodeId id);

// Whether one operator yields what another one does, with its axes in `result`'s order, of operands
// with theirs in those orders: read off their meanings.
bool is_rearranged(const Meaning& original, const Meaning& mutant, const AxisOrder& result,
                   const std::vector<AxisOrder>& operands);

}  // namespace pet::places
