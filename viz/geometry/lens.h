// In which view of the shape a tensor is looked at: an axis in its digits, or plainly. Digits make
// regions of joined and cut images regular; in a plane of an image people expect its rows and
// columns.
#pragma once

#include <vector>

#include "viz/geometry/quotient_grid.h"

namespace pet::viz {

// By axis: whether it is shown in its digits.
using Lens = std::vector<bool>;

// All but the last two axes in their digits, where that takes at most so many boxes.
Lens usual_lens(const QuotientGrid& grid);

// What is kept in digits as it is, the rest along whole axes: a box whose inner digits leave gaps
// becomes several. The grid itself where that takes more than `most` boxes.
QuotientGrid through(const QuotientGrid& grid, const Lens& lens, std::size_t most = 4096);

}  // namespace pet::viz
