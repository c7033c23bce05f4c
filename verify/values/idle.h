// Operators that nobody needs.
#pragma once

#include <optional>

#include "core/ir/graph.h"

namespace pet {

// The program without operators that neither an output nor an operator without a meaning of ours
// needs; nothing where it has none. A runtime leaves them out, so that they say nothing of what may
// be computed on the way to an output, and how far from 0.
std::optional<Graph> without_idle(const Graph& program);

}  // namespace pet
