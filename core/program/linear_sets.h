// The linear operators of a program, and the largest sets of them with nothing non-linear in
// between (PET, section 4: a program is cut at its non-linear operators).
#pragma once

#include <optional>
#include <vector>

#include "core/ir/graph.h"

namespace pet {

// Those that outputs need, in order: linear in what is computed, and no part of a composite, which
// is never cut into.
std::vector<NodeId> linear_operators(const Graph& program);

// By node: the number of its set, nothing for what is not linear. Sets are connected, and none is
// left and re-entered, so that each may be drawn, or replaced, as one operator. Numbered in order
// of their first operators.
std::vector<std::optional<std::size_t>> linear_sets(const Graph& program);

}  // namespace pet
