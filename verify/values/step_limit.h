// How far an engine goes, in steps, which are the same on every machine (README.md says what a step
// is).
#pragma once

#include <fmt/format.h>

#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet {

// What an engine says that was not to take more.
inline Error more_than_steps(std::size_t most) {
  return Error{fmt::format("more than {} steps", most), ErrorKind::Tool};
}

// Of evaluating a node once at all its positions, in one number system.
double evaluation_steps(const Graph& graph, NodeId id);

// Of a whole program.
double evaluation_steps(const Graph& graph);

}  // namespace pet
