// The same question for a solver, which knows nothing of how it is answered here: whether there
// are sizes and a position at which two programs differ. SMT-LIB 2 over whole numbers (sizes,
// positions, indices) and reals (elements); inputs and element functions are functions of which
// nothing is known.
#pragma once

#include <string>
#include <vector>

#include "core/util/result.h"
#include "verify/all_sizes/prove.h"

namespace pet::all_sizes {

struct SolverQuestion {
  std::vector<std::string> commands;     // what is declared and defined, in order
  std::vector<std::string> differences;  // by output; all of them impossible: equal at all sizes
};

// An Error where there are sums of as many addends as a size says: that is no question for it.
Result<SolverQuestion> solver_question(const Family& family, const SizedPair& pair);

}  // namespace pet::all_sizes
