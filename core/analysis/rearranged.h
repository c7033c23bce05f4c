// Operators that do the same whatever order the axes of their operands stand in.
#pragma once

#include <optional>

#include "core/analysis/axis_order.h"
#include "core/ir/graph.h"

namespace pet {

// Every element of the result follows from the elements at its own position, under broadcasting.
bool is_elementwise(const Meaning& meaning, std::span<const Shape> operands);

// The operator that yields the result of `id` with its axes in that order from operands with their
// axes in that order: elementwise ones, and those whose definition says how (OpDef::rearranged).
// Operands of fewer axes than the result count as having leading axes of one position, single
// numbers stay as they are; nullopt where only an elementwise operator could take that.
std::optional<Op> rearranged(const Graph& graph, NodeId id, const AxisOrder& order);

}  // namespace pet
