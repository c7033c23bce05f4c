// Where doubles are wide enough for a program of constants.
#pragma once

#include "core/ir/graph.h"

namespace pet {

// Whether every operation of a linear program on finite float constants, done in doubles, errs by
// no more than rounding does: nothing comes near the ends of their range.
// REQUIRES: `node` depends on constants and operators with a meaning alone
bool fits_doubles(const Graph& graph, NodeId node);

}  // namespace pet
