#include "core/ops/parts/sliding.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ops/parts/onnx_form.h"

namespace pet::ops {
namespace {

Result<Ints> list_or(const Op& op, std::string_view name, std::size_t size, Dim standard,
                     Dim least) {
  Ints list = op.ints(name);
  if (list.empty()) list.assign(size, standard);
  if (list.size() != size)
    return Error{fmt::format("{}: {} must have {} entries", op.def->name, name, size)};
  for (const Dim x : list) {
    if (x < least || x > kLargestAttribute)
      return Error{fmt::format("{}: {} holds {}", op.def->name, name, x)};
  }
  return list;
}

// An empty list stands for the default.
bool is_left_out(const Attrs& attrs, std::string_view name) {
  const AttrValue* value = attrs.find(name);
  return value == nullptr || *value == AttrValue{Ints{}};
}

bool within_limits(const Ints& list) {
  return std::all_of(list.begin(), list.end(),
                     [](Dim x) { return x >= 1 && x <= kLargestAttribute; });
}

// As many outputs as strides fit into the input; of an odd total the larger half is at the end
// (upper) or the beginning. Where windows leave gaps the standard has no padding, but ONNX Runtime
// crops.
Result<Ints> same_pads(const Attrs& attrs, const Ints& kernel, const WatchedShape& input,
                       bool upper) {
  const std::size_t rank = kernel.size();
  Ints pads(2 * rank, 0);
  for (std::size_t i = 0; i < rank; ++i) {
    const Dim stride = attrs.ints("strides")[i];
    const Dim last = (floor_div(input[i + 2] + stride - 1, stride) - 1) * stride;
    const Dim total = last + attrs.ints("dilations")[i] * (kernel[i] - 1) + 1 - input[i + 2];
    if (total < -1) return Error{"auto_pad with gaps between windows", ErrorKind::Unsupported};
    pads[i] = upper ? std::max<Dim>(total, 0) / 2 : (total + 1) / 2;
    pads[rank + i] = std::max<Dim>(total, 0) - pads[i];
  }
  return pads;
}

}  // namespace

Result<std::vector<SlidingAxis>> sliding_axes(const Op& op, const Shape& input,
                                              std::span<const Dim> kernel, Rounding rounding) {
  const std::size_t rank = kernel.size();
  if (rank == 0 || input.size() != rank + 2) {
    return Error{fmt::format("{}: an input of shape {} does not fit a window of {} axes",
                             op.def->name, to_string(input), rank)};
  }
  const auto strides = list_or(op, "strides", rank, 1, 1);
  if (!strides) return strides.error();
  const auto dilations = list_or(op, "dilations", rank, 1, 1);
  if (!dilations) return dilations.error();
  const auto pads = list_or(op, "pads", 2 * rank, 0, 0);
  if (!pads) return pads.error();
  std::vector<SlidingAxis> axes;
  for (std::size_t i = 0; i < rank; ++i) {
    SlidingAxis axis{input[i + 2],    kernel[i],  (*strides)[i],
                     (*dilations)[i], (*pads)[i], (*pads)[rank + i]};
    if (axis.kernel < 1 || axis.kernel > kLargestAttribute) {
      return Error{fmt::format("{}: a window of {} elements", op.def->name, axis.kernel)};
    }
    const Dim room =
        axis.input + axis.pad_begin + axis.pad_end - (axis.dilation * (axis.kernel - 1) + 1);
    if (room < 0)
      return Error{fmt::format("{}: the window is larger than the padded input", op.def->name),
                   ErrorKind::Unsupported};
    axis.output =
        floor_div(room + (rounding == Rounding::Ceil ? axis.stride - 1 : 0), axis.stride) + 1;
    // A window that would start in the padding at the end is not taken.
    if (rounding == Rounding::Ceil &&
        (axis.output - 1) * axis.stride >= axis.input + axis.pad_begin) {
      --axis.output;
      axis.lacks_last = true;
    }
    axes.push_back(axis);
  }
  return axes;
}

Result<Attrs> explicit_sliding_attrs(const OnnxCall& call, const Ints& kernel) {
  Attrs attrs = call.attrs;
  const std::size_t rank = kernel.size();
  for (const char* name : {"strides", "dilations"}) {
    if (is_left_out(attrs, name)) attrs.set(name, Ints(rank, 1));
    const auto* list = std::get_if<Ints>(attrs.find(name));
    if (list == nullptr || list->size() != rank || !within_limits(*list)) {
      return Error{fmt::format("{}: {} must be positive, one for each axis", call.op_type, name)};
    }
  }
  if (!within_limits(kernel))
    return Error{fmt::format("{}: an empty or enormous window", call.op_type)};
  std::string mode = "NOTSET";
  if (const AttrValue* given = attrs.find("auto_pad")) {
    if (!std::holds_alternative<std::string>(*given))
      return Error{call.op_type + ": auto_pad is no text"};
    mode = std::get<std::string>(*given);
    attrs.erase("auto_pad");
  }
  if (mode != "NOTSET" && !is_left_out(attrs, "pads"))
    return Error{call.op_type + ": pads beside auto_pad", ErrorKind::Unsupported};
  if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    const auto shape = operand_shape(call, 0);
    if (!shape) return shape.error();
    if (shape->rank() != rank + 2)
      return Error{call.op_type + ": the input does not fit the window"};
    auto pads = same_pads(attrs, kernel, *shape, mode == "SAME_UPPER");
    if (!pads) return std::move(pads).error().within(call.op_type);
    attrs.set("pads", *std::move(pads));
  } else if (mode == "VALID") {
    attrs.set("pads", Ints(2 * rank, 0));
  } else if (mode != "NOTSET") {
    return Error{fmt::format("{}: auto_pad has no mode {}", call.op_type, mode)};
  }
  if (is_left_out(attrs, "pads")) attrs.set("pads", Ints(2 * rank, 0));
  return attrs;
}

Result<Attrs> pool_attrs(const OnnxCall& call) {
  const auto* kernel = call.attrs.find("kernel_shape");
  if (kernel == nullptr || !std::holds_alternative<Ints>(*kernel)) {
    return Error{call.op_type + ": kernel_shape is missing"};
  }
  for (const char* flag : {"ceil_mode", "count_include_pad"}) {
    if (auto known = flag_or(call, flag, false); !known) return std::move(known).error();
  }
  auto attrs = explicit_sliding_attrs(call, std::get<Ints>(*kernel));
  if (!attrs) return attrs;
  // ONNX Runtime pads as if the window were not dilated.
  const AttrValue* mode = call.attrs.find("auto_pad");
  const bool pads_itself = mode != nullptr && std::get<std::string>(*mode).starts_with("SAME");
  const Ints& dilations = attrs->ints("dilations");
  if (pads_itself && std::any_of(dilations.begin(), dilations.end(), [](Dim d) { return d != 1; }))
    return Error{call.op_type + ": auto_pad of dilated windows is ambiguous",
                 ErrorKind::Unsupported};
  if (const auto* pads = std::get_if<Ints>(attrs->find("pads")); pads != nullptr) {
    const Ints& extents = std::get<Ints>(*kernel);
    for (std::size_t i = 0; i < pads->size(); ++i) {
      if ((*pads)[i] >= extents[i % extents.size()]) {
        return Error{call.op_type + ": pads as large as the window, which ONNX Runtime refuses",
                     ErrorKind::Unsupported};
      }
    }
  }
  return attrs;
}

Result<OnnxEmitted> emit_pool(const Op& op, const Shape& input, int opset) {
  constexpr int kLeavesOutSince = 22;  // before, runtimes do and the standard's shapes do not
  const auto rounding = op.integer("ceil_mode") != 0 ? Rounding::Ceil : Rounding::Floor;
  const auto axes = sliding_axes(op, input, op.ints("kernel_shape"), rounding);
  if (!axes) return axes.error();
  const auto lacks_last = [](const SlidingAxis& axis) { return axis.lacks_last; };
  if (opset < kLeavesOutSince && std::any_of(axes->begin(), axes->end(), lacks_last))
    return not_in_opset(op, "ceil_mode", opset, "a last window in the padding is ambiguous there");
  OnnxEmitted form{op.def->name, op.attrs, {std::size_t{0}}};
  constexpr int kRoundsUpSince = 10;
  if (opset >= kRoundsUpSince) return form;
  if (rounding == Rounding::Ceil)
    return not_in_opset(op, "ceil_mode", opset, "pools round down before 10");
  form.attrs.erase("ceil_mode");
  return form;
}

std::optional<Op> with_zero_pads(const Op& op, Padding) {
  Op out = op;
  out.attrs.set("pads", Ints(op.ints("pads").size(), 0));
  return out;
}

}  // namespace pet::ops
