// Operators that nobody needs.
#pragma once

#include <optional>

#include "core/ir/graph.h"

namespace pet {

// The program without operators that no output needs; nothing where it has none. They say nothing
// of what may be computed on the way to an output, and how far from 0.
std::optional<Graph> without_idle(const Graph& program);

// An operator without a meaning of ours that no output of the mutant needs and the original does
// not have: a runtime may run, and fail at, it all the same. `bind_weights`: as of a proof.
std::optional<NodeId> idle_and_new(const Graph& original, const Graph& mutant, bool bind_weights);

}  // namespace pet
