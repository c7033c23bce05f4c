// What speaks against an "equal" of places, seen over whole programs.
#pragma once

#include <string>

#include "core/util/result.h"
#include "verify/places/walk.h"

namespace pet::places {

struct Looked {
  std::string whole;  // why engines have to look at the whole of both programs; empty: nothing
  double growth = 1;  // as Verdict::growth
};

// Whether programs are so large that engines take long over them, and that partial functions count
// as applied to whole tensors (theory: section 6).
bool are_large(const Graph& original, const Graph& mutant);

// The questions of bitmap/objections, as far as structure and sizes answer them. What takes drawn
// errors or residues of everything is left to the bitmap engine. REQUIRES: walked.all
Result<Looked> look(const Graph& original, const Graph& mutant, const Walked& walked,
                    const ProofOptions& options);

}  // namespace pet::places
