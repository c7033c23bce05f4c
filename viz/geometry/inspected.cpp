#include "viz/geometry/inspected.h"

#include <algorithm>

#include "viz/geometry/lens.h"
#include "viz/geometry/region_scene.h"
#include "viz/words/axis_names.h"

namespace pet::viz {
State state_of(Sameness sameness) {
  switch (sameness) {
    case Sameness::Equal:
      return State::Equal;
    case Sameness::Different:
      return State::Wrong;
    case Sameness::Unknown:
      return State::Unknown;
  }
  return State::Unknown;
}

QuotientGrid grid_of(const InspectedOutput& output, const Region& repaired) {
  std::vector<StatedBox> boxes;
  if (output.wrong.empty() && !repaired.empty()) {
    for (const Box& box : repaired.boxes) boxes.push_back({box, State::Corrected});
    return {repaired.basis, std::move(boxes)};
  }
  const bool is_known = std::ranges::none_of(
      output.boxes, [](const InspectedBox& b) { return b.sameness == Sameness::Unknown; });
  if (is_known)
    for (const Box& box : output.wrong.boxes) boxes.push_back({box, State::Wrong});
  for (const InspectedBox& b : output.boxes)
    if (b.sameness == Sameness::Equal || !is_known) boxes.push_back({b.box, state_of(b.sameness)});
  return {output.basis, std::move(boxes)};
}

Scene preview_of(const InspectedOutput& output) {
  if (!output.reason.empty()) return {};
  const QuotientGrid whole = grid_of(output);
  const QuotientGrid grid = through(whole, usual_lens(whole));
  RegionDrawing how;
  how.names = digit_names(grid.basis());
  how.width = 480;
  how.has_rulers = false;
  how.most_slices = 4;
  return region_scene(grid, slices_of(grid, usual_plane(grid)), how);
}

}  // namespace pet::viz
