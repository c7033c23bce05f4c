// The small twin of a pair: the same two programs at sizes at which every element can be looked at
// and a solver be asked.
#pragma once

#include <optional>
#include <span>
#include <stop_token>

#include "core/program/cross_check.h"
#include "verify/reduce/pair.h"

namespace pet::inspect {

// No value has more elements than the solver takes, and both are computed in few steps: all three
// engines take a second or two.
bool is_small(const reduce::Pair& pair);

// Smaller step by step, half of the largest extent first, until it is small. Each step keeps what
// the corrector says of every output: equal, wrong in part, wrong everywhere. Where the moves are
// known that made the mutant, each makes it again of the smaller original; else, and where that
// leads nowhere, both programs are resized. An Error that says why there is none.
Result<SmallTwin> small_twin(const reduce::Pair& pair, std::span<const Move> moves,
                             const std::stop_token& stop);

}  // namespace pet::inspect
