// A long list of small marks as a strip: one column each, as deep as it stands in its tree. For an
// overview of what a search walked through.
#pragma once

#include <optional>
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

// What is drawn of a walk: a run of its marks.
struct Strip {
  std::vector<StripMark> marks;
  std::size_t first = 0;      // number of the first of them in the walk
  std::size_t all = 0;        // marks of the walk
  std::size_t deepest = 0;    // of all of them
  std::string selected = {};  // id of the mark that is framed; empty: none
};

// How many marks fit.
std::size_t room_of_strip(double width);
// Where the run begins: the last marks are drawn, or those from `seen` on where that is before
// them.
std::size_t first_of_strip(std::size_t all, std::size_t room, std::optional<std::size_t> seen);

// A line below says which marks these are where they are not all.
Scene strip_scene(const Strip& strip, double width, const std::string& what);

}  // namespace pet::viz
