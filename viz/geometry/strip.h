// A long list of small marks as a strip: one column each, as deep as it stands in its tree. For an
// overview of what a search walked through.
#pragma once

#include <string>
#include <vector>

#include "viz/geometry/scene.h"

namespace pet::viz {

struct StripMark {
  std::size_t depth = 0;
  Role role = Role::Frame;
  bool is_full = true;  // else only its lower half is drawn
  std::string id = {};
  std::string tooltip = {};
};

// The last ones where there are more than fit into `width`; a line below says of how many.
Scene strip_scene(const std::vector<StripMark>& marks, double width, const std::string& what);

}  // namespace pet::viz
