// Where sums do not tell how far the mutant's errors grow: it has a result of a function twice, of
// arguments that it rounds otherwise, and 20001 f(x') - 20000 f(x) magnifies what is between them
// by as much as the argument's own sums did once more. The two need not look alike: their tensors
// may lie otherwise, or be pieces that overlap.
#pragma once

#include <vector>

#include "verify/size_plan.h"

namespace pet {

// Whether anything of the mutant that an output needs reads one result twice, of arguments that are
// rounded otherwise, or elsewhere on the way to them. `as_original`: by node of the mutant, whether
// it sums what the original sums, from the last functions on. An Error where it was stopped, or
// where residues do not fit into the memory.
Result<bool> reads_rounded_twice(const ProvedPair& pair, const std::vector<char>& as_original);

}  // namespace pet
