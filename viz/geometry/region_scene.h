// Where two programs differ, drawn: each distinct slice of the output as a plane of intervals, with
// rulers and the number of slices that look so, and below them one ruler for every digit, across
// which what is wrong is marked.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "viz/geometry/scene.h"
#include "viz/geometry/slices.h"

namespace pet::viz {

struct RegionDrawing {
  enum class Scale {
    Schematic,  // every interval is wide enough for its label
    True        // as long as it is; what would not be seen is one pixel wide
  };
  Scale scale = Scale::Schematic;
  std::optional<std::size_t> selected;  // a box of the grid
  std::size_t most_slices = 64;         // that are drawn; the scene says of how many
  double width = 900;                   // multiples are laid out in rows of that
  bool has_rulers = true;               // one of every digit, below the planes
  std::vector<std::string> names;       // of the digits
};

// Items of a box have the id "box:N" (its number in the grid), intervals "interval:DIGIT:N".
Scene region_scene(const QuotientGrid& grid, const Slices& slices, const RegionDrawing& drawing);

}  // namespace pet::viz
