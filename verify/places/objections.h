// What speaks against an "equal" of places, as far as places and the structure of both programs
// tell it.
#pragma once

#include <string>

#include "core/util/result.h"
#include "verify/places/walk.h"

namespace pet::places {

// Whether programs are so large that engines take long over them.
bool are_large(const Graph& original, const Graph& mutant);

// Why the mutant may be undefined where the original is not, so that engines have to look at the
// whole of both; empty: it cannot. REQUIRES: walked.all
Result<std::string> may_be_undefined(const Graph& original, const Graph& mutant,
                                     const Walked& walked, const ProofOptions& options);

struct Looked {
  std::string whole;  // why the whole of both has to be looked at; empty: nothing holds against it
  double growth = 1;  // as Verdict::growth
};

// The questions of rounding/objections, as far as structure answers them, and sizes in places.
// REQUIRES: walked.all
Result<Looked> look_at_floats(const Graph& original, const Graph& mutant, const Walked& walked,
                              const ProofOptions& options);

}  // namespace pet::places
