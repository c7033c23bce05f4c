// Ways to compute a convolution with one of its axes taken out of it: a bilinear algorithm along
// that axis, and a convolution without the axis' taps inside. Each builds the result in the layout
// of the convolution itself.
#pragma once

#include <functional>

#include "core/program/mutate/sliding_product.h"

namespace pet::mutation {

// How the convolution inside is computed: emit() or a form again.
using Inner = std::function<Result<NodeId>(GraphBuilder&, const Convolution&)>;

// What is left of the axis inside: nothing, or an axis of one position (of two axes one would be
// left, and runtimes are quicker with two).
enum class Leftover { Nothing, UnitAxis };

// What is computed inside: tiles (of all blocks) in the batch, points in groups of channels.
SlidingProduct inside_before_channels(const SlidingProduct& product, std::size_t axis, Dim tiles,
                                      Dim points, Leftover leftover);

// The axis in front of the channels: a constant matrix over each block of it, tiles in the batch,
// points in groups of channels, a constant matrix back. One transpose at each end, none inside.
Result<NodeId> spread_before_channels(GraphBuilder& b, const Convolution& convolution,
                                      std::size_t axis, const Blocks& blocks,
                                      const AxisAlgorithm& algorithm, Leftover leftover,
                                      const Inner& inner);

// The axis in the batch, its taps joined with the channels: the windows are laid out by slices.
SlidingProduct inside_taps_to_channels(const SlidingProduct& product, std::size_t axis,
                                       Leftover leftover);
Result<NodeId> taps_to_channels(GraphBuilder& b, const Convolution& convolution, std::size_t axis,
                                Leftover leftover, const Inner& inner);

}  // namespace pet::mutation
