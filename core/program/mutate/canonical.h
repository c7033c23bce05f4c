// What a program computes, node by node, whatever it is called: equal digests, equal programs.
#pragma once

#include "core/ir/graph.h"

namespace pet::mutation {

// Values that no output needs do not count, nor does how attributes are spelled: an operator is its
// definition and its meaning on these operands.
Digest canonical_digest(const Graph& graph);

}  // namespace pet::mutation
