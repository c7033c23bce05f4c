// What single elements of a program take.
#pragma once

#include "core/ir/graph.h"

namespace pet {

// Products of sums that are added up for one element of `id` where nothing is remembered: a value
// that is read by two ways is computed twice. A chain of twenty doublings takes a million.
double steps_of_element(const Graph& graph, NodeId id);

}  // namespace pet
