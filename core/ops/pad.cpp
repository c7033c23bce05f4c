// Pad: zeros around a tensor, its edge, its mirror image, or itself again; a negative pad crops.
// Reading outside yields 0, so zeros are one shifted read; the others read pieces.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/pieces.h"
#include "core/ops/parts/rearranged.h"

namespace pet::ops {
namespace {

constexpr int kWrapsSince = 19;
constexpr int kPadsAreAnOperandSince = 11;

// How far beyond a border an axis can be read in that mode.
Result<Dim> reach(std::string_view mode, Dim extent) {
  if (mode == "constant" || (mode == "edge" && extent > 0)) return kMaxElements;
  if (mode == "edge") return Dim{0};
  if (mode == "reflect") return std::max<Dim>(extent - 1, 0);
  if (mode == "wrap") return extent;
  return Error{"Pad: mode is none of constant, edge, reflect, wrap"};
}

// REQUIRES: pads within reach
std::vector<Piece> along(std::string_view mode, std::size_t axis, Dim begin, Dim extent, Dim out) {
  const IndexExpr inside = v(axis) - begin;
  if (mode == "constant") return {{{}, inside}};
  if (mode == "wrap") return {{{}, extent == 0 ? inside : mod(inside, extent)}};
  const bool mirrors = mode == "reflect";
  const IndexExpr last = extent - 1;
  const std::vector<Piece> all = {
      {within(axis, 0, begin, out), mirrors ? inside * -1 : IndexExpr(0)},
      {within(axis, begin, begin + extent, out), inside},
      {within(axis, begin + extent, out, out), mirrors ? last * 2 - inside : last}};
  std::vector<Piece> some;
  if (begin > 0) some.push_back(all[0]);
  some.push_back(all[1]);
  if (begin + extent < out) some.push_back(all[2]);
  return some;
}

Result<Meaning> lower_pad(const Op& op, std::span<const Shape> in) {
  const std::size_t rank = in[0].size();
  const Ints& pads = op.ints("pads");
  if (pads.size() != 2 * rank)
    return Error{fmt::format("Pad: {} pads for rank {}", pads.size(), rank)};
  const std::string& mode = op.text("mode");
  Shape out = in[0];
  std::vector<std::vector<Piece>> axes;
  for (std::size_t i = 0; i < rank; ++i) {
    const Dim begin = pads[i];
    const Dim end = pads[rank + i];
    if (std::max(begin, end) > kMaxElements || std::min(begin, end) < -kMaxElements) {
      return Error{fmt::format("Pad: a pad of {} and {}", begin, end)};
    }
    if (std::min<Dim>(begin, 0) + std::min<Dim>(end, 0) + out[i] < 0) {
      return Error{fmt::format("Pad: {} and {} crop more than axis {} of {} has", begin, end, i,
                               to_string(in[0])),
                   ErrorKind::Unsupported};
    }
    const auto far = reach(mode, in[0][i]);
    if (!far) return far.error();
    if (mode != "constant" && (std::min(begin, end) < 0 || std::max(begin, end) > *far)) {
      return Error{fmt::format("Pad: {} and {} at axis {} of {} are not interpreted in mode {}",
                               begin, end, i, to_string(in[0]), mode),
                   ErrorKind::Unsupported};
    }
    out[i] += begin + end;
    axes.push_back(along(mode, i, begin, in[0][i], out[i]));
  }
  auto terms = sum_of_pieces("Pad", axes);
  if (!terms) return std::move(terms).error();
  return Meaning{{}, {std::move(out), *std::move(terms)}};
}

bool pad_affine_in_sizes(const Op& op) { return op.text("mode") == "constant"; }

// −0 is another fill: 1 divided by it is another infinity.
bool fills_with_zero(const OnnxCall& call) {
  if (call.opset < kPadsAreAnOperandSince) {
    const AttrValue* value = call.attrs.find("value");
    const auto* number = value == nullptr ? nullptr : std::get_if<double>(value);
    return value == nullptr || (number != nullptr && *number == 0 && !std::signbit(*number));
  }
  if (!call.has(2)) return true;
  const OnnxOperand& value = call.operands[2];
  if (value.dtype != call.operands[0].dtype) return false;
  return (value.scalar && *value.scalar == 0 && !std::signbit(*value.scalar)) ||
         (value.ints && *value.ints == Ints{0});
}

Result<Ints> pads_of(const OnnxCall& call) {
  const auto given = list_by_opset(call, "pads", 1, kPadsAreAnOperandSince);
  if (!given) return given.error();
  if (!*given) return Error{"Pad: no pads"};
  return **given;
}

Imported pad_from_onnx(const OnnxCall& call) {
  const bool has_operands = call.opset >= kPadsAreAnOperandSince;
  auto known = has_operands ? only_attributes(call, {"mode"})
                            : only_attributes(call, {"mode", "pads", "value"});
  if (!known) return std::move(known).error();
  AttrValue mode = std::string("constant");
  if (call.attrs.has("mode")) mode = *call.attrs.find("mode");
  if (mode == AttrValue{std::string("wrap")} && call.opset < kWrapsSince)
    return Error{"Pad: mode wrap before operator set 19", ErrorKind::Unsupported};
  if (mode == AttrValue{std::string("constant")} && !fills_with_zero(call))
    return Error{"Pad: fills with something else than a constant 0", ErrorKind::Unsupported};
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  if (shape->rank() == 0)
    return Error{"Pad: of a scalar, which runtimes refuse", ErrorKind::Unsupported};
  const auto given = pads_of(call);
  if (!given) return given.error();
  Ints axes(shape->rank());
  std::iota(axes.begin(), axes.end(), 0);
  if (call.has(3)) {
    if (call.opset < 18) return Error{"Pad: axes before operator set 18", ErrorKind::Unsupported};
    auto some = constant_operand(call, 3, "axes");
    if (!some) return std::move(some).error();
    axes = *std::move(some);
    if (auto distinct = normal_axes("Pad", axes, shape->rank()); !distinct)
      return std::move(distinct).error();
  }
  if (given->size() != 2 * axes.size())
    return Error{fmt::format("Pad: {} pads for {} axes", given->size(), axes.size())};
  Ints pads(2 * shape->rank(), 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto a = static_cast<std::size_t>(*normal_axis("Pad", axes[i], shape->rank()));
    pads[a] = (*given)[i];
    pads[shape->rank() + a] = (*given)[axes.size() + i];
  }
  return one_result(pad(), Attrs{{"mode", std::move(mode)}, {"pads", std::move(pads)}},
                    {std::size_t{0}});
}

Result<OnnxEmitted> pad_to_onnx(const Op& op, std::span<const Shape>, int opset) {
  if (op.text("mode") == "wrap" && opset < kWrapsSince)
    return not_in_opset(op, "mode", opset, "pads wrap around from 19 on");
  Attrs attrs;
  if (op.text("mode") != "constant") attrs.set("mode", op.text("mode"));
  if (opset >= kPadsAreAnOperandSince)
    return OnnxEmitted{"Pad", std::move(attrs), {std::size_t{0}, op.ints("pads")}};
  attrs.set("pads", op.ints("pads"));
  return OnnxEmitted{"Pad", std::move(attrs), {std::size_t{0}}};
}

std::optional<Op> rearranged_pad(const Op& op, std::span<const std::size_t> order) {
  const Ints& old = op.ints("pads");
  Ints pads(old.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    pads[i] = old[order[i]];
    pads[order.size() + i] = old[order.size() + order[i]];
  }
  Op out = op;
  out.attrs.set("pads", std::move(pads));
  return out;
}

}  // namespace

const OpDef& pad() {
  static const OpDef def{
      .name = "Pad",
      .summary = "zeros, edges or mirror images around a tensor, or a crop",
      .arity = {1, 1},
      .attrs = {{"mode", std::string("constant")}, {"pads", Ints{}, AttrRole::Geometry, true}},
      .lower = lower_pad,
      .affine_in_sizes = pad_affine_in_sizes,
      .from_onnx = pad_from_onnx,
      .to_onnx = pad_to_onnx,
      .rearranged = rearranged_pad};
  return def;
}

}  // namespace pet::ops
