// Where sums do not tell how far the mutant's errors grow: it has a result of a function twice, of
// arguments that were rounded in two ways. Over the reals the two are one, and whatever magnifies
// what is between them, 20001 f(x') - 20000 f(x) or layer after layer of u - f(v), is to sizes as
// good as the original. They need not look alike: their tensors may lie otherwise, or be pieces.
#pragma once

#include "verify/rounding/size_plan.h"

namespace pet {

// Whether an output of the mutant needs two such results of which the original does not have both
// in just this way. What data movement alone makes of one number was rounded once. An Error where
// it was stopped, or where residues do not fit into the memory.
Result<bool> has_rounded_twice(const ProvedPair& pair, const std::stop_token& stop);

}  // namespace pet
