// What a program computes, whatever the order of its operators and of operands that commute: two
// programs of one digest are the same expressions. (Graph::digest knows the order of nodes.)
#pragma once

#include "core/ir/graph.h"

namespace pet::rules {

Digest expression_digest(const Graph& program);

}  // namespace pet::rules
