// SpaceToDepth: blocks of pixels become blocks of channels, the inverse of DepthToSpace.
#include <fmt/format.h>

#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/blocks.h"

namespace pet::ops {
namespace {

constexpr int kHasModeSince = 28;

Result<Meaning> lower_space_to_depth(const Op& op, std::span<const Shape> in) {
  const auto block = block_form(op, in[0]);
  if (!block) return block.error();
  const Dim b = block->size;
  if (in[0][2] % b != 0 || in[0][3] % b != 0) {
    return Error{
        fmt::format("SpaceToDepth: {} does not divide into blocks of {}", to_string(in[0]), b)};
  }
  if (in[0][1] > kMaxElements / (b * b)) return Error{"SpaceToDepth: too many channels"};
  const Dim channels = std::max<Dim>(in[0][1], 1);  // a divisor; without channels nothing is read
  enum { n, c, y, x };
  const bool outer = block->order == BlockOrder::Outer;
  const IndexExpr within = outer ? div(v(c), channels) : mod(v(c), b * b);
  const IndexExpr channel = outer ? mod(v(c), channels) : div(v(c), b * b);
  Access read{0, {v(n), channel, v(y) * b + div(within, b), v(x) * b + mod(within, b)}};
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {std::move(read)}};
  return Meaning{{}, {{in[0][0], in[0][1] * b * b, in[0][2] / b, in[0][3] / b}, {std::move(term)}}};
}

Imported space_to_depth_from_onnx(const OnnxCall& call) {
  return blocks_from_onnx(call, space_to_depth(), kHasModeSince);
}

Result<OnnxEmitted> space_to_depth_to_onnx(const Op& op, std::span<const Shape>, int opset) {
  return blocks_to_onnx(op, opset, kHasModeSince);
}

}  // namespace

const OpDef& space_to_depth() {
  static const OpDef def{.name = "SpaceToDepth",
                         .summary = "blocks of pixels as blocks of channels",
                         .arity = {1, 1},
                         .attrs = {{"blocksize", std::int64_t{1}, AttrRole::Geometry, true},
                                   {"mode", std::string("DCR")}},
                         .lower = lower_space_to_depth,
                         .from_onnx = space_to_depth_from_onnx,
                         .to_onnx = space_to_depth_to_onnx};
  return def;
}

}  // namespace pet::ops
