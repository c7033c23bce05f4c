// Where doubles and long doubles are wide enough for a program of constants.
#pragma once

#include "core/ir/graph.h"

namespace pet {

// Whether every operation of a program on finite float constants, done in such numbers, errs by no
// more than rounding does, as far as that can be seen in a float that is added up of them: nothing
// of the kind comes near the ends of their range. In doubles: only of a linear program.
// REQUIRES: `node` depends on constants and operators with a meaning alone
bool fits_doubles(const Graph& graph, NodeId node);
bool fits_long_doubles(const Graph& graph, NodeId node);

}  // namespace pet
