// Two linear operators, one reading the other, applied in the other order: a pool before the 1x1
// convolution that stood in front of it.
#pragma once

#include <vector>

#include "core/program/mutate/generator.h"

namespace pet::mutation {

// Of a subprogram of two such operators; each keeps its attributes and its other operands.
std::vector<Mutant> exchanges(const Graph& subprogram);

}  // namespace pet::mutation
