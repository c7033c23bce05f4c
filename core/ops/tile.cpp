// Tile: the operand again and again along its axes.
#include <fmt/format.h>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_tile(const Op& op, std::span<const Shape> in) {
  const Ints& repeats = op.ints("repeats");
  if (repeats.size() != in[0].size()) {
    return Error{fmt::format("Tile: {} repeats for rank {}", repeats.size(), in[0].size())};
  }
  Shape out = in[0];
  auto index = identity_index(in[0]);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Dim extent = in[0][i];
    if (repeats[i] < 0 || (extent > 0 && repeats[i] > kMaxElements / extent))
      return Error{fmt::format("Tile: repeats hold {}", repeats[i])};
    out[i] = extent * repeats[i];
    if (extent > 0 && repeats[i] != 1) index[i] = mod(v(i), extent);
  }
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {{0, std::move(index)}}};
  return Meaning{{}, {std::move(out), {std::move(term)}}};
}

Imported tile_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {}); !known) return std::move(known).error();
  auto repeats = constant_operand(call, 1, "repeats");
  if (!repeats) return std::move(repeats).error();
  return one_result(tile(), Attrs{{"repeats", *std::move(repeats)}}, {std::size_t{0}});
}

Result<OnnxEmitted> tile_to_onnx(const Op& op, std::span<const Shape>, int) {
  return OnnxEmitted{"Tile", {}, {std::size_t{0}, op.ints("repeats")}};
}

std::optional<Op> rearranged_tile(const Op& op, std::span<const std::size_t> order) {
  Ints repeats;
  for (const std::size_t axis : order) repeats.push_back(op.ints("repeats")[axis]);
  Op out = op;
  out.attrs.set("repeats", std::move(repeats));
  return out;
}

}  // namespace

const OpDef& tile() {
  static const OpDef def{.name = "Tile",
                         .summary = "a tensor repeated along its axes",
                         .arity = {1, 1},
                         .attrs = {{"repeats", Ints{}, AttrRole::Geometry, true}},
                         .lower = lower_tile,
                         .from_onnx = tile_from_onnx,
                         .to_onnx = tile_to_onnx,
                         .rearranged = rearranged_tile};
  return def;
}

}  // namespace pet::ops
