// Moves of the view in front of a product: digits of images, frames, rows and columns laid along
// other axes. Pieces of a batch joined along an axis that slides, pieces of that axis made a batch,
// its phases made images or laid in a row; with and without zeros or overlap at the seams.
#pragma once

#include <vector>

#include "core/program/mutate/moves.h"

namespace pet::mutation {

void move_digits(const State& state, const MoveLimits& limits, std::vector<State>& out);

}  // namespace pet::mutation
