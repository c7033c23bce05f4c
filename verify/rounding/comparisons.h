// Comparisons jump (Equal, Greater, and operators without a meaning may, too): a jump at just a
// value that was rounded otherwise is rare, unless what is compared is the same everywhere.
#pragma once

#include <string>

#include "verify/values/residue_store.h"

namespace pet {

// Names one that reads a value twice, where the mutant computes it in two ways and rounds: x = x
// may then hold nowhere. Empty where there is none.
// REQUIRES: both have a value for every node of the mutant: `table` with those joined that are
// equal, `computed` as the mutant computes them
Result<std::string> objection_to_comparisons(const Graph& mutant, const ValueTable& table,
                                             const ValueTable& computed, ResidueStore& store);

}  // namespace pet
