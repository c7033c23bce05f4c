// What DepthToSpace and SpaceToDepth share: blocks of `blocksize` by `blocksize` pixels in an
// image.
#pragma once

#include "core/ir/op.h"

namespace pet::ops {

enum class BlockOrder { Outer, Inner };  // where the channel holds the place in the block

struct BlockForm {
  Dim size = 1;
  BlockOrder order = BlockOrder::Outer;
};

// From the attributes blocksize and mode, for an image of that shape. size² does not overflow.
Result<BlockForm> block_form(const Op& op, const Shape& image);

}  // namespace pet::ops
