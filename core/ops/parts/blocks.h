// What DepthToSpace and SpaceToDepth share: blocks of `blocksize` by `blocksize` pixels in an
// image.
#pragma once

#include "core/ir/op.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {

enum class BlockOrder { Outer, Inner };  // where the channel holds the place in the block

struct BlockForm {
  Dim size = 1;
  BlockOrder order = BlockOrder::Outer;
};

// From the attributes blocksize and mode, for an image of that shape. size² does not overflow.
Result<BlockForm> block_form(const Op& op, const Shape& image);

// As ONNX writes it: its mode is an attribute from operator set `mode_since` on, DCR before.
Imported blocks_from_onnx(const OnnxCall& call, const OpDef& def, int mode_since);
Result<OnnxEmitted> blocks_to_onnx(const Op& op, int opset, int mode_since);

}  // namespace pet::ops
