// Where are two programs equal? What engines say over the reals, and then what floats may make of
// it (rounding/objections).
#pragma once

#include <span>

#include "verify/verdict/engine.h"

namespace pet {

// Nothing is called equal beyond the reals (ProofOptions::floats) unless an engine is among those
// asked that hands out the values that show it. REQUIRES: at least one engine
Verdict prove_pair(const Graph& original, const Graph& mutant, std::span<Engine* const> engines,
                   const ProofOptions& options);

}  // namespace pet
