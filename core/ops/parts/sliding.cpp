#include "core/ops/parts/sliding.h"

#include <fmt/format.h>

#include <algorithm>

namespace pet::ops {
namespace {

constexpr Dim kLargestAttribute = Dim{1} << 31;

Result<Ints> list_or(const Op& op, std::string_view name, std::size_t size, Dim standard, Dim least) {
  Ints list = op.ints(name);
  if (list.empty()) list.assign(size, standard);
  if (list.size() != size) return Error{fmt::format("{}: {} must have {} entries", op.def->name, name, size)};
  for (const Dim x : list) {
    if (x < least || x > kLargestAttribute) return Error{fmt::format("{}: {} holds {}", op.def->name, name, x)};
  }
  return list;
}

}  // namespace

Result<std::vector<SlidingAxis>> sliding_axes(const Op& op, const Shape& input, std::span<const Dim> kernel,
                                              Rounding rounding) {
  const std::size_t rank = kernel.size();
  if (rank == 0 || input.size() != rank + 2) {
    return Error{fmt::format("{}: an input of shape {} does not fit a window of {} axes", op.def->name,
                             to_string(input), rank)};
  }
  const auto strides = list_or(op, "strides", rank, 1, 1);
  if (!strides) return strides.error();
  const auto dilations = list_or(op, "dilations", rank, 1, 1);
  if (!dilations) return dilations.error();
  const auto pads = list_or(op, "pads", 2 * rank, 0, 0);
  if (!pads) return pads.error();
  std::vector<SlidingAxis> axes;
  for (std::size_t i = 0; i < rank; ++i) {
    SlidingAxis axis{input[i + 2], kernel[i], (*strides)[i], (*dilations)[i], (*pads)[i], (*pads)[rank + i]};
    if (axis.kernel < 1 || axis.kernel > kLargestAttribute) {
      return Error{fmt::format("{}: a window of {} elements", op.def->name, axis.kernel)};
    }
    const Dim room = axis.input + axis.pad_begin + axis.pad_end - (axis.dilation * (axis.kernel - 1) + 1);
    if (room < 0) return Error{fmt::format("{}: the window is larger than the padded input", op.def->name)};
    axis.output = floor_div(room + (rounding == Rounding::Ceil ? axis.stride - 1 : 0), axis.stride) + 1;
    // A window that would start in the padding at the end is not taken.
    if (rounding == Rounding::Ceil && (axis.output - 1) * axis.stride >= axis.input + axis.pad_begin) --axis.output;
    axes.push_back(axis);
  }
  return axes;
}

Result<Attrs> explicit_sliding_attrs(const OnnxCall& call, const Ints& kernel) {
  Attrs attrs = call.attrs;
  const std::size_t rank = kernel.size();
  auto fill = [&](const std::string& name, Dim standard) {
    const auto* value = attrs.find(name);
    if (value == nullptr) attrs.set(name, Ints(rank, standard));
    return std::holds_alternative<Ints>(*attrs.find(name)) && attrs.ints(name).size() == rank;
  };
  if (!fill("strides", 1) || !fill("dilations", 1)) return Error{"strides and dilations need one entry an axis"};
  if (attrs.has("auto_pad") && std::holds_alternative<std::string>(*attrs.find("auto_pad"))) {
    const std::string mode = attrs.text("auto_pad");
    attrs.erase("auto_pad");
    if (mode == "VALID") attrs.set("pads", Ints(2 * rank, 0));
    if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
      const auto& shape = call.operands.empty() ? std::nullopt : call.operands[0].type.shape;
      if (!shape || shape->size() != rank + 2) return Error{"auto_pad needs the input's shape", ErrorKind::Unsupported};
      Ints pads(2 * rank, 0);
      for (std::size_t i = 0; i < rank; ++i) {
        const Dim stride = attrs.ints("strides")[i];
        if (stride < 1) return Error{"strides must be positive"};
        const Dim output = floor_div((*shape)[i + 2] + stride - 1, stride);
        const Dim span = attrs.ints("dilations")[i] * (kernel[i] - 1) + 1;
        const Dim total = std::max<Dim>(0, (output - 1) * stride + span - (*shape)[i + 2]);
        pads[i] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
        pads[rank + i] = total - pads[i];
      }
      attrs.set("pads", pads);
    } else if (mode != "VALID" && mode != "NOTSET") {
      return Error{fmt::format("auto_pad has no mode {}", mode)};
    }
  }
  if (!attrs.has("pads")) attrs.set("pads", Ints(2 * rank, 0));
  return attrs;
}

Op with_zero_pads(const Op& op) {
  Op out = op;
  out.attrs.set("pads", Ints(op.ints("pads").size(), 0));
  return out;
}

}  // namespace pet::ops
