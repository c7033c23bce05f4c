// Where a program is defined (theory: section 6): `equivalent` promises that wherever the original
// is defined over the reals, the mutant is defined and equal. A difference that cancels must not
// hide a division by zero.
#pragma once

#include <string>

#include "core/eval/evaluate.h"
#include "verify/values/equal_tensors.h"
#include "verify/values/residue_store.h"
#include "verify/values/value_table.h"

namespace pet {

// Of looking element by element for what outputs are made of, in all: whoever has to look longer
// goes by whole tensors.
inline constexpr double kMostStepsOfDomain = 0x1p24;

// An operator as people know it: where it has no meaning of ours as its file calls it, and that.
std::string name_of(const Op& op);

// Why the mutant may be undefined where the original is not; empty where it cannot be: every
// partial function, and every operator without a meaning of ours, is applied only to arguments to
// which the original applies it too. In programs that are not too large none of the `equal` tensors
// is made of results of partial functions that the original's is not made of: what a slice leaves
// out may be undefined. REQUIRES: every node of the mutant has its value; neither has idle ones
Result<std::string> domain_violation(const Graph& original, const Graph& mutant,
                                     const ValueTable& table, ResidueStore& store,
                                     const std::vector<EqualTensors>& equal,
                                     const std::stop_token& stop);

}  // namespace pet
