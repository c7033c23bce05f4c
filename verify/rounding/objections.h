// Why "equal" over the reals would be no promise of floats: one list of questions, asked in order,
// the first objection is the answer.
#pragma once

#include <string>

#include "verify/bitmap/compared.h"

namespace pet {

struct Objection {
  std::string reason;  // empty where there is none
  double growth = 1;   // of sums, as far as they were looked at
};

// As far as options.floats goes. An Error where it was stopped: what was not looked for to the end
// is not none. REQUIRES: compare() was done, or both are one program
Result<Objection> objection_to_floats(const Compared& pair, const ProofOptions& options);

// Whether drawn errors may tell what sizes did not: what triggers them is structure alone.
// REQUIRES: every node of the mutant has its value
bool needs_drawn_errors(const Graph& original, const Graph& mutant, const ValueTable& table);

}  // namespace pet
