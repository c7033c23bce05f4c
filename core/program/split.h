// From a program to the subprograms that are worked on: connected sets of operators that are linear
// in what is computed (element functions of constants alone do not count), at most `max_operators`
// each (PET, section 4 and Algorithm 2).
#pragma once

#include "core/program/subprogram.h"

namespace pet {

struct SplitOptions {
  std::size_t max_operators = 2;
};

// Whether the operator is a sum of products of computed values and functions of constants.
bool is_linear_in_activations(const Graph& graph, NodeId id);

// Every chain of that many linear operators, each the only reader of the one before, smaller ones
// first in order of the program. Purely constant operators are no subject.
std::vector<Subprogram> split(const Graph& program, const SplitOptions& options);

}  // namespace pet
