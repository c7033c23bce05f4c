// Pad: zeros around a tensor; a negative pad crops. Reading outside yields 0, so this is one
// shifted read.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/rearranged.h"

namespace pet::ops {
namespace {

Result<Meaning> lower(const Op& op, std::span<const Shape> in) {
  const std::size_t rank = in[0].size();
  const Ints& pads = op.ints("pads");
  if (pads.size() != 2 * rank)
    return Error{fmt::format("Pad: {} pads for rank {}", pads.size(), rank)};
  Shape out = in[0];
  auto index = identity_index(in[0]);
  for (std::size_t i = 0; i < rank; ++i) {
    const Dim begin = pads[i];
    const Dim end = pads[rank + i];
    if (std::max(begin, end) > kMaxElements || std::min(begin, end) < -kMaxElements) {
      return Error{fmt::format("Pad: a pad of {} and {}", begin, end)};
    }
    if (std::min<Dim>(begin, 0) + std::min<Dim>(end, 0) + out[i] < 0) {
      return Error{fmt::format("Pad: {} and {} crop more than axis {} of {} has", begin, end, i,
                               to_string(in[0]))};
    }
    out[i] += begin + end;
    index[i] += -begin;
  }
  Term term{.coef = {}, .reduce = {}, .guards = {}, .factors = {{0, std::move(index)}}};
  return Meaning{{}, {std::move(out), {std::move(term)}}};
}

bool fills_with_zero(const OnnxCall& call) {
  if (!call.has(2)) return true;
  const OnnxOperand& value = call.operands[2];
  return (value.scalar && *value.scalar == 0) || (value.ints && *value.ints == Ints{0});
}

Imported from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"mode"}); !known) return std::move(known).error();
  const AttrValue* mode = call.attrs.find("mode");
  if (mode != nullptr && *mode != AttrValue{std::string("constant")}) {
    return Error{fmt::format("Pad: mode {} is not interpreted", to_string(*mode)),
                 ErrorKind::Unsupported};
  }
  if (!fills_with_zero(call))
    return Error{"Pad: fills with something else than a constant 0", ErrorKind::Unsupported};
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  const auto given = constant_operand(call, 1, "pads");
  if (!given) return given.error();
  Ints axes(shape->size());
  std::iota(axes.begin(), axes.end(), 0);
  if (call.has(3)) {
    if (call.opset < 18) return Error{"Pad: axes before operator set 18", ErrorKind::Unsupported};
    auto some = constant_operand(call, 3, "axes");
    if (!some) return std::move(some).error();
    axes = *std::move(some);
    if (auto distinct = normal_axes("Pad", axes, shape->size()); !distinct)
      return std::move(distinct).error();
  }
  if (given->size() != 2 * axes.size())
    return Error{fmt::format("Pad: {} pads for {} axes", given->size(), axes.size())};
  Ints pads(2 * shape->size(), 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto a = static_cast<std::size_t>(*normal_axis("Pad", axes[i], shape->size()));
    pads[a] = (*given)[i];
    pads[shape->size() + a] = (*given)[axes.size() + i];
  }
  return one_result(pad(), Attrs{{"pads", std::move(pads)}}, {std::size_t{0}});
}

Result<OnnxEmitted> to_onnx(const Op& op, std::span<const Shape>, int) {
  return OnnxEmitted{"Pad", {}, {std::size_t{0}, op.ints("pads")}};
}

std::optional<Op> rearranged(const Op& op, std::span<const std::size_t> order) {
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
  static const OpDef def{.name = "Pad",
                         .summary = "zeros around a tensor, or a crop where a pad is negative",
                         .arity = {1, 1},
                         .attrs = {{"pads", Ints{}, AttrRole::Geometry, true}},
                         .lower = lower,
                         .from_onnx = from_onnx,
                         .to_onnx = to_onnx,
                         .rearranged = rearranged};
  return def;
}

}  // namespace pet::ops
