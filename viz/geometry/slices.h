// The slices of a tensor along a plane of two digits. Most slices look alike: each way a plane
// looks is drawn once, with the number of slices that look so.
#pragma once

#include <optional>

#include "viz/geometry/quotient_grid.h"

namespace pet::viz {

// Two digits, or one where the other is nothing.
struct Plane {
  std::optional<std::size_t> rows;     // the digit that goes down
  std::optional<std::size_t> columns;  // the digit that goes to the right
  bool operator==(const Plane&) const = default;
};

// The last two digits of which something is cut; else the last ones.
Plane usual_plane(const QuotientGrid& grid);

// Intervals of the plane's two digits, by number; [0,1) for a digit that is not there.
struct Patch {
  Interval rows;
  Interval columns;
  State state = State::Wrong;
  std::size_t box = 0;  // of the grid's
  bool operator==(const Patch&) const = default;
};

struct Slice {
  // By digit: the interval of the first slice that looks so, by number; 0 for the plane's own
  // digits.
  std::vector<std::size_t> at;
  std::vector<Patch> patches;  // the boxes that are drawn, those that are not equal or all
  Dim multiplicity = 0;        // single slices (one index of every other digit) that look so
  Dim wrong = 0;               // elements of all of them that are drawn
};

struct Slices {
  Plane plane;
  std::vector<Slice> distinct;  // those with most that is not equal first
  Dim number = 0;               // of single slices
  bool is_complete = true;      // false: there are more than were looked at
};

enum class Drawn { Differing, All };  // boxes that are not equal, or every box

// `most`: combinations of intervals that are looked at.
Slices slices_of(const QuotientGrid& grid, const Plane& plane, std::size_t most = 100'000,
                 Drawn drawn = Drawn::Differing);

}  // namespace pet::viz
