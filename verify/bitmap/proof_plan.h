// What a proof by residues takes, before anything is evaluated: how many primes how often, and
// whether it can be held at all.
#pragma once

#include <optional>
#include <stop_token>

#include "core/util/result.h"
#include "verify/bitmap/error_bound.h"
#include "verify/values/value_table.h"

namespace pet {

struct ProofPlan {
  ErrorBound bound;
  ErrorBound::Plan comparisons;
};

// The number of primes follows from the error asked for. `computed` has every node of the mutant.
// An error where the proof would take too much time or memory, or more than `most_steps`.
Result<ProofPlan> plan_proof(const Graph& original, const Graph& mutant, const ValueTable& computed,
                             double log2_error, std::optional<std::size_t> most_steps,
                             const std::stop_token& stop);

}  // namespace pet
