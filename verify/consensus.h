// One verdict of several engines.
#pragma once

#include <span>

#include "core/program/equivalence.h"

namespace pet {

// The first engine gives the verdict, the others are asked to contradict it: that makes it unknown,
// with `engines_disagree`. One that does not know contradicts nobody. What the first calls equal is
// so only where those that see rounding call it equal too; where it lacks nothing but the proof of
// a difference that another engine has, that one gives the verdict. REQUIRES: at least one engine
Verdict consensus(const Graph& original, const Graph& mutant,
                  std::span<EquivalenceChecker* const> engines, const ProofOptions& options);

}  // namespace pet
