// Moves that change what a product slides over: its taps as channels or as products of their own,
// channels as taps and back, a padded end.
#pragma once

#include <vector>

#include "core/program/mutate/moves.h"

namespace pet::mutation {

void move_windows(const State& state, const MoveLimits& limits, std::vector<State>& out);

}  // namespace pet::mutation
