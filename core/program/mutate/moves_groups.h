// Moves between groups, channels and features: a product as several that read the same data, and
// groups as one product whose weight has blocks on its diagonal.
#pragma once

#include <vector>

#include "core/program/mutate/moves.h"

namespace pet::mutation {

void move_groups(const State& state, const MoveLimits& limits, std::vector<State>& out);

}  // namespace pet::mutation
