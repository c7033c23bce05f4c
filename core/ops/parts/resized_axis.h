// Where a resized axis looks into the original one: exactly, and as runtimes compute it in float32.
#pragma once

#include <string_view>
#include <vector>

#include "core/ops/parts/pieces.h"

namespace pet::ops {

struct ResizedAxis {
  std::size_t axis = 0;
  Dim from = 1;
  Dim to = 1;
  std::string_view coordinates;  // coordinate_transformation_mode
  // Where it does not change runtimes look at no neighbours: the batch and channels of images.
  bool lies_outside = false;
};

// Unsupported: another transformation, or extents that are not looked at position by position.
Status check_resized(const ResizedAxis& axis);

// The position that `rounding` (nearest_mode) chooses, cut to the axis. Unsupported where float32
// chooses another one than exact arithmetic does. REQUIRES: check_resized
Result<std::vector<Piece>> nearest_pieces(const ResizedAxis& axis, std::string_view rounding);

// The two neighbours with their weights, which add up to 1, read also where they have none: 0 times
// infinity is no number. Unsupported where one of them is the whole of a position, and float32 adds
// a little of another: that may be infinite, or an integer; and where float32 has other weights.
// REQUIRES: check_resized
Result<std::vector<Piece>> linear_pieces(const ResizedAxis& axis);

}  // namespace pet::ops
