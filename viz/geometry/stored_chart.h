// The comparisons of a stored profile (core/backend/stored_profile.h) as paired bars and in words:
// times of a device that is elsewhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/backend/stored_profile.h"
#include "viz/geometry/bars.h"

namespace pet::viz {

struct StoredChart {
  BarChart bars;  // a group for each original, on an axis of its own, and a row a comparison
  // Numbers of the profile's lines, row after row of all groups.
  std::vector<std::size_t> lines;
  std::size_t originals = 0;  // of which the first are drawn

  // Of one of `lines`, by its number there; nothing where it is not drawn.
  std::optional<BarPlace> place_of(std::size_t number) const;
  std::size_t number_of(const BarPlace& place) const;
};

// What takes the longest comes first, originals and their candidates.
StoredChart stored_chart(const StoredProfile& profile);

// "4 comparisons of cuda on NVIDIA H100, in fp32", or why there is nothing to see.
std::string headline(const StoredProfile& profile);
// Where they come from, when they were measured, and what was left out.
std::string facts_of(const StoredProfile& profile, const StoredChart& chart);
// "2.000x (1.900 to 2.100): faster".
std::string in_words(const Comparison& comparison);
// All that a line says, for whoever has chosen it.
std::string in_words(const StoredComparison& line);

}  // namespace pet::viz
