// Constants that are numbers to every proof (theory: section 6a), for operators that they decide.
#pragma once

#include "core/ir/graph.h"

namespace pet {

// Of a constant of one finite float. (-0 is none: it has another reciprocal than 0.)
std::optional<Rational> known_number(const Tensor& constant);

// Of the operands whose values decide what the operator means; empty where none does.
KnownNumbers known_numbers(const Graph& graph, const OpDef& def,
                           const std::vector<NodeId>& operands);

}  // namespace pet
