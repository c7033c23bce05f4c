// What is said of an output in which two programs differ.
#pragma once

#include <string>

#include "viz/geometry/quotient_grid.h"
#include "viz/words/numbers.h"

namespace pet::viz {

// "2 boxes, 1.79 % of the output: row 55 of even images, row 0 of odd images"; "equal everywhere".
// Boxes are those of the wrong region, merged where they touch: `wrong` in few words where there
// are any.
std::string headline(const QuotientGrid& grid, std::size_t wrong_boxes,
                     const std::string& in_words);

// "6 of 18 cells wrong, 3,584 of 200,704 elements".
std::string counts_in_words(const QuotientGrid& grid);

}  // namespace pet::viz
