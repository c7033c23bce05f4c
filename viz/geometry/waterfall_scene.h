// Where the time went, drawn: from the original's time to the optimised one's, a bar for what each
// kind of change saves in between.
#pragma once

#include <string>
#include <vector>

#include "viz/geometry/scene.h"

namespace pet::viz {

struct FallingBar {
  enum class Kind { Whole, Saved, Rest } kind = Kind::Whole;
  std::string label;    // in front of it
  std::string tooltip;  // plain text
  double from_ms = 0, to_ms = 0;
  std::string id;  // empty: it cannot be chosen
};

// Whole files are measured as such, places one by one: a `Rest` (what they differ by together) is
// dotted, and what costs time is hatched.
Scene waterfall_scene(const std::vector<FallingBar>& bars, double width,
                      const std::string& selected);

}  // namespace pet::viz
