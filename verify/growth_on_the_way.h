// By how much the mutant's errors may grow from function to function, where sizes begin anew. What
// a tensor of the original has lost goes on as it does there, in whatever layout: the results are
// the same function of it. Not so where there are two of it, rounded otherwise
// (17 f(x') - 16 f(x)), or where it is none of the original's: what has been lost grows with the
// sums.
#pragma once

#include <map>

#include "verify/results_of_original.h"

namespace pet {

// The largest on any way through the mutant. `worst`: by node of it, how much larger its sums are
// than the original's, from the last functions on; 1 where there is none.
double growth_on_the_way(const Graph& mutant, const ResultsOfOriginal& results,
                         const std::map<NodeId, double>& worst);

}  // namespace pet
