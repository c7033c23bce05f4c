// Rounding may not decide (theory: section 6a, check (c)): a program may be equal over the reals and yet compute nothing
// but rounding errors, by adding something huge and taking it away again.
#pragma once

#include "core/program/equivalence.h"
#include "core/util/result.h"

namespace pet {

// Both programs with absolute constants, coefficients and inputs 1: how much larger the mutant's largest sum of absolute
// terms in a channel is than the original's, at worst over outputs and arguments of element functions. Infinity where
// the mutant's is infinite.
Result<double> growth(const Graph& original, const Graph& mutant, std::size_t threads, std::stop_token stop);

inline constexpr double kLargestGrowth = 65536;

}  // namespace pet
