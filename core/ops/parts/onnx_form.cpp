#include "core/ops/parts/onnx_form.h"

#include <fmt/format.h>

#include <algorithm>

namespace pet::ops {

Imported one_result(const OpDef& def, Attrs attrs, std::vector<OnnxSource> operands) {
  auto op = make_op(def, std::move(attrs));
  if (!op) return std::move(op).error();
  return std::vector<OnnxImported>{{*std::move(op), std::move(operands)}};
}

Status only_attributes(const OnnxCall& call, std::initializer_list<std::string_view> names) {
  for (const auto& [name, value] : call.attrs) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return Error{fmt::format("{}: attribute {} is not interpreted", call.op_type, name),
                   ErrorKind::Unsupported};
    }
  }
  return Done{};
}

Result<std::int64_t> integer_or(const OnnxCall& call, std::string_view name,
                                std::int64_t standard) {
  const AttrValue* value = call.attrs.find(name);
  if (value == nullptr) return standard;
  if (const auto* integer = std::get_if<std::int64_t>(value)) return *integer;
  return Error{fmt::format("{}: attribute {} has the wrong type", call.op_type, name)};
}

Result<bool> flag_or(const OnnxCall& call, std::string_view name, bool standard) {
  const auto value = integer_or(call, name, standard ? 1 : 0);
  if (!value) return value.error();
  if (*value == 0 || *value == 1) return *value == 1;
  return Error{fmt::format("{}: attribute {} is {}, neither 0 nor 1", call.op_type, name, *value),
               ErrorKind::Unsupported};
}

Result<WatchedShape> operand_shape(const OnnxCall& call, std::size_t operand) {
  if (!call.has(operand))
    return Error{fmt::format("{}: operand {} is missing", call.op_type, operand)};
  return call.operands[operand].shape;
}

Result<Ints> constant_operand(const OnnxCall& call, std::size_t operand, std::string_view what,
                              Integers integers) {
  if (!call.has(operand))
    return Error{fmt::format("{}: operand {} ({}) is missing", call.op_type, operand, what)};
  const OnnxOperand& given = call.operands[operand];
  if (!given.ints) {
    return Error{fmt::format("{}: {} is no constant", call.op_type, what), ErrorKind::Unsupported};
  }
  if (given.shape.rank() != 1) {
    return Error{fmt::format("{}: {} is no list", call.op_type, what), ErrorKind::Unsupported};
  }
  if (integers == Integers::Of64Bits && given.dtype != DType::Int64) {
    return Error{fmt::format("{}: {} is {}, not int64", call.op_type, what, to_string(given.dtype)),
                 ErrorKind::Unsupported};
  }
  return *given.ints;
}

Result<std::int64_t> constant_number(const OnnxCall& call, std::size_t operand,
                                     std::string_view what) {
  if (!call.has(operand))
    return Error{fmt::format("{}: operand {} ({}) is missing", call.op_type, operand, what)};
  const OnnxOperand& given = call.operands[operand];
  if (!given.ints || given.ints->size() != 1 || given.shape.rank() > 1) {
    return Error{fmt::format("{}: {} is no constant number", call.op_type, what),
                 ErrorKind::Unsupported};
  }
  return given.ints->front();
}

Result<std::optional<Ints>> list_by_opset(const OnnxCall& call, std::string_view name,
                                          std::size_t operand, int since) {
  const AttrValue* value = call.attrs.find(name);
  if (call.opset >= since) {
    if (value != nullptr) {
      return Error{
          fmt::format("{}: {} is an operand from operator set {} on", call.op_type, name, since)};
    }
    if (!call.has(operand)) return std::optional<Ints>{};
    auto list = constant_operand(call, operand, name);
    if (!list) return std::move(list).error();
    return std::optional<Ints>{*std::move(list)};
  }
  if (call.has(operand)) {
    return Error{
        fmt::format("{}: {} is an attribute before operator set {}", call.op_type, name, since)};
  }
  if (value == nullptr) return std::optional<Ints>{};
  if (const auto* list = std::get_if<Ints>(value)) return std::optional<Ints>{*list};
  return Error{fmt::format("{}: attribute {} has the wrong type", call.op_type, name)};
}

OnnxEmitted emit_with_axes(const Op& op, int opset, int since) {
  const Ints& axes = op.ints("axes");
  if (axes.empty()) return {"Identity", {}, {std::size_t{0}}};
  OnnxEmitted out{op.def->name, op.attrs, {std::size_t{0}}};
  if (opset < since) return out;
  out.attrs.erase("axes");
  out.operands.emplace_back(axes);
  return out;
}

Result<Dim> normal_axis(std::string_view who, Dim axis, std::size_t rank) {
  const Dim r = static_cast<Dim>(rank);
  if (axis < -r || axis >= r)
    return Error{fmt::format("{}: no axis {} in rank {}", who, axis, rank)};
  return axis < 0 ? axis + r : axis;
}

Result<Ints> normal_axes(std::string_view who, Ints axes, std::size_t rank) {
  for (Dim& axis : axes) {
    const auto normal = normal_axis(who, axis, rank);
    if (!normal) return normal.error();
    axis = *normal;
  }
  std::sort(axes.begin(), axes.end());
  if (std::adjacent_find(axes.begin(), axes.end()) != axes.end()) {
    return Error{fmt::format("{}: an axis is named twice", who), ErrorKind::Unsupported};
  }
  return axes;
}

}  // namespace pet::ops
