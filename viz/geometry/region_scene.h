// A tensor by intervals, drawn: each distinct slice as a plane, with the number of slices that look
// so; where two programs differ is hatched. Below them one ruler for every digit, across which what
// is wrong is marked.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
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
  double narrowest = 34, lowest = 34;   // an interval of a schematic plane, across and down
  double growth = 11;                   // of one that is twice as long
  std::set<std::size_t> alike;          // boxes that are marked along with the selected one
  std::vector<std::string>
      findings;  // by box: what is not so about it; empty, or all empty: nothing
  // What stands in a box, where that is more than its state.
  std::function<void(Scene&, const Patch&, const Rect&)> paint;
};

// Items of a box have the id "box:N" (its number in the grid), intervals "interval:DIGIT:N".
Scene region_scene(const QuotientGrid& grid, const Slices& slices, const RegionDrawing& drawing);

}  // namespace pet::viz
