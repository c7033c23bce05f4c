// DepthToSpace: blocks of channels become blocks of pixels. DCR: the block's row and column are the
// outer digits of the channel; CRD: the inner ones.
#include <fmt/format.h>

#include "core/ops/ops.h"
#include "core/ops/parts/blocks.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_depth_to_space(const Op& op, std::span<const Shape> in) {
  const auto block = block_form(op, in[0]);
  if (!block) return block.error();
  const Dim b = block->size;
  if (in[0][1] % (b * b) != 0)
    return Error{fmt::format("DepthToSpace: {} channels, blocks of {}", in[0][1], b)};
  const Dim channels = in[0][1] / (b * b);
  enum { n, c, y, x };
  const IndexExpr within = mod(v(y), b) * b + mod(v(x), b);
  const IndexExpr channel =
      block->order == BlockOrder::Outer ? within * channels + v(c) : v(c) * (b * b) + within;
  Term term{.coef = {},
            .reduce = {},
            .guards = {},
            .factors = {{0, {v(n), channel, div(v(y), b), div(v(x), b)}}}};
  return Meaning{{}, {{in[0][0], channels, in[0][2] * b, in[0][3] * b}, {std::move(term)}}};
}

constexpr int kHasModeSince = 11;

Imported depth_to_space_from_onnx(const OnnxCall& call) {
  return blocks_from_onnx(call, depth_to_space(), kHasModeSince);
}

Result<OnnxEmitted> depth_to_space_to_onnx(const Op& op, std::span<const Shape>, int opset) {
  return blocks_to_onnx(op, opset, kHasModeSince);
}

}  // namespace

const OpDef& depth_to_space() {
  static const OpDef def{.name = "DepthToSpace",
                         .summary = "blocks of channels as blocks of pixels",
                         .arity = {1, 1},
                         .attrs = {{"blocksize", std::int64_t{1}, AttrRole::Geometry, true},
                                   {"mode", std::string("DCR")}},
                         .lower = lower_depth_to_space,
                         .from_onnx = depth_to_space_from_onnx,
                         .to_onnx = depth_to_space_to_onnx};
  return def;
}

}  // namespace pet::ops
