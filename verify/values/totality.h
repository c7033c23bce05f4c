// Which operators are not defined for all that they read, and what counts as read (theory: section
// 6).
#pragma once

#include "core/ir/graph.h"

namespace pet {

// Whether its function is not defined for all arguments.
bool is_partial(const Application& application);

// Whether the operator applies any element function.
bool applies_function(const Graph& graph, NodeId id);

// Whether an element function of the operator is not defined for all arguments.
bool applies_partial_function(const Graph& graph, NodeId id);

// Whether some operator multiplies by 0 by its definition: a neighbour without weight.
bool multiplies_by_zero(const Graph& graph);

// A product with a coefficient of 0, or a factor outside of its tensor (padding), is 0, and
// runtimes may multiply all the same: whether its (other) factors count as used.
enum class TimesZero { Unused, Used };

}  // namespace pet
