// What is so, element by element, against what the boxes say: an element that is wrong and in no
// wrong box is a defect of ours; one that is right and in a wrong box is corrected for nothing.
#pragma once

#include <string>
#include <vector>

#include "viz/geometry/quotient_grid.h"

namespace pet::viz {

// Elements of one box.
struct BoxTruth {
  Dim equal = 0;
  Dim different = 0;
};

// By box of the grid. `equal_at`: by element, row-major. REQUIRES: as many as the grid's
std::vector<BoxTruth> truth_of(const QuotientGrid& grid, const std::vector<char>& equal_at);

struct TruthCounts {
  Dim covered = 0;    // different, and a box says so
  Dim uncovered = 0;  // different, and a box says that it is equal
  Dim wasted = 0;     // equal, and a box says that it is different
  Dim equal = 0;      // equal, and a box says so
  Dim open = 0;       // in boxes that say nothing
};
TruthCounts counts_of(const QuotientGrid& grid, const std::vector<BoxTruth>& truth);

// "1,792 wrong and covered, 0 wrong and uncovered, 0 covered and right, 98,560 right".
std::string in_words(const TruthCounts& counts);
// What a box is wrong about: "16 wrong and uncovered"; empty: nothing.
std::string finding_of(const StatedBox& box, const BoxTruth& truth);

}  // namespace pet::viz
