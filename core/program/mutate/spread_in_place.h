// A bilinear algorithm along an axis of a convolution that stays where it is: another way to take
// an axis out (axis_forms.h).
#pragma once

#include "core/program/mutate/axis_forms.h"

namespace pet::mutation {

// The axis where it is, `tiles` positions long, once for each point.
SlidingProduct inside_in_place(const SlidingProduct& product, std::size_t axis, const Tile& tile);

// The axis where it is: one depthwise convolution a point cuts it into tiles, one convolution a
// point without the taps, sums of these for each output of a tile, interleaved.
Result<NodeId> spread_in_place(GraphBuilder& b, const Convolution& convolution, std::size_t axis,
                               const Tile& tile, const Inner& inner);

}  // namespace pet::mutation
