// Does the checker notice what is broken? Pairs that are equal are broken in many small ways, and
// every engine is asked about each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/util/rng.h"
#include "verify/verdict/engine.h"

namespace pet::self_test {

enum class Noticed {
  ByWitness,     // not equal, and there are inputs that show it
  Withheld,      // not called equal; nothing shows a difference either
  StaysEqual,    // called equal, by an engine without probability too
  CalledEqual,   // called equal by the first engine alone: no other one knew
  Contradicted,  // engines disagree: a defect
};

struct FaultFound {
  std::string what;
  Noticed noticed = Noticed::Withheld;
  std::string reason;
};

// REQUIRES: the first engine sees rounding
FaultFound look(const Graph& original, const Graph& broken, const std::string& what,
                std::span<Engine* const> engines, const ProofOptions& options);

// The mutant, then the original, broken in `most` ways at most. Nothing where the pair is not equal
// to begin with.
std::vector<FaultFound> break_and_look(const Graph& original, const Graph& mutant, std::size_t most,
                                       std::span<Engine* const> engines,
                                       const ProofOptions& options, Rng& rng);

}  // namespace pet::self_test
