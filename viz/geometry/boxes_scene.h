// What a value is, box by box, drawn: planes of intervals, in each box its summation interval and
// the taps of the kernel, those that are left out crossed.
#pragma once

#include "viz/geometry/region_scene.h"
#include "viz/geometry/summation.h"

namespace pet::viz {

// As many boxes as one plane holds are drawn in full; `look` of a box is its formula.
// `states`: by box of the summation; empty where none is told.
QuotientGrid grid_of(const Summation& summation, const std::vector<State>& states);

// Of the last two axes that are cut the digits with most intervals.
Plane plane_of_axes(const QuotientGrid& grid);

struct BoxesDrawing {
  RegionDrawing::Scale scale = RegionDrawing::Scale::Schematic;
  std::optional<std::size_t> selected;  // a box
  std::optional<std::size_t> formula;   // whose boxes are marked
  double width = 900;
  std::vector<std::string> names;  // of the digits
};

// Boxes have the id "box:N", their number in the summation.
Scene boxes_scene(const Summation& summation, const QuotientGrid& grid, const Slices& slices,
                  const BoxesDrawing& how);

// All that is known of a box, line by line.
std::string box_in_words(const Summation& summation, std::size_t box,
                         const std::vector<std::string>& names);

}  // namespace pet::viz
