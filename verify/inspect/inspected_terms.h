// Sums of products of the region engine as people are told of them.
#pragma once

#include "core/program/inspector.h"
#include "verify/region/pair.h"

namespace pet {

// Variables below `digits` are digits of the position, the others sums. What has a negative weight
// is told with a positive one.
InspectedTerm term_of(const region::Pair& pair, const region::TermList::Kind& factors,
                      const region::WeightedBox& box, std::size_t digits);

}  // namespace pet
