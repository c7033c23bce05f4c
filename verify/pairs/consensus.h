// One word of several engines on two programs, over the reals.
#pragma once

#include <span>

#include "verify/verdict/engine.h"

namespace pet {

// The first engine gives the verdict, the others are asked to contradict it: that makes it unknown,
// with `engines_disagree`. One that does not know contradicts nobody. Another one gives it where it
// sees that the mutant may be undefined, or knows more: a difference that the first only suspects,
// or equality where it has the values that show it, beyond which nothing is called equal by those
// who have not. REQUIRES: at least one engine
EngineWord consensus(const Graph& original, const Graph& mutant, std::span<Engine* const> engines,
                     const ProofOptions& options);

}  // namespace pet
