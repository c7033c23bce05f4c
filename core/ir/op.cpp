#include "core/ir/op.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pet {

Result<Meaning> meaning_of(const Op& op, std::span<const Shape> operands,
                           const KnownNumbers& numbers) {
  const OpDef& def = *op.def;
  return def.by_numbers && !numbers.empty() ? def.by_numbers->lower(op, operands, numbers)
                                            : def.lower(op, operands);
}

Result<Op> make_op(const OpDef& def, Attrs attrs) {
  for (const auto& [name, value] : attrs) {
    const auto it = std::find_if(def.attrs.begin(), def.attrs.end(),
                                 [&](const AttrDef& a) { return a.name == name; });
    if (it == def.attrs.end()) {
      return Error{fmt::format("{} has no attribute {}", def.name, name), ErrorKind::Unsupported};
    }
    if (value.index() != it->standard.index()) {
      return Error{fmt::format("{}: attribute {} has the wrong type", def.name, name)};
    }
    if (const auto* real = std::get_if<double>(&value); real != nullptr && !std::isfinite(*real)) {
      return Error{fmt::format("{}: attribute {} is not finite", def.name, name),
                   ErrorKind::Unsupported};
    }
  }
  for (const AttrDef& attr : def.attrs) {
    if (attrs.has(attr.name)) continue;
    if (attr.required)
      return Error{fmt::format("{}: attribute {} is missing", def.name, attr.name)};
    attrs.set(attr.name, attr.standard);
  }
  return Op{&def, std::move(attrs)};
}

Result<std::vector<OnnxImported>> import_call(const OpDef& def, const OnnxCall& call) {
  if (def.lower == nullptr) return Error{"no meaning is defined", ErrorKind::Unsupported};
  if (call.opset < def.since) {
    return Error{fmt::format("{}: no operator of operator set {}", def.name, call.opset),
                 ErrorKind::Unsupported};
  }
  if (def.from_onnx != nullptr) {
    auto imported = def.from_onnx(call);
    if (imported && imported->size() < call.num_outputs) {
      return Error{fmt::format("{} outputs are not interpreted", call.num_outputs),
                   ErrorKind::Unsupported};
    }
    return imported;
  }
  if (call.num_outputs > 1) return Error{"more than one output", ErrorKind::Unsupported};
  auto op = make_op(def, call.attrs);
  if (!op) return std::move(op).error();
  OnnxImported imported{*std::move(op), {}};
  bool ended = false;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    if (call.has(i) && ended) return Error{"an operand is left out", ErrorKind::Unsupported};
    if (call.has(i)) imported.operands.emplace_back(i);
    ended = ended || !call.has(i);
  }
  return std::vector<OnnxImported>{std::move(imported)};
}

Error not_in_opset(const Op& op, std::string_view attribute, int opset, std::string_view reason) {
  const auto what = attribute.empty() ? std::string() : fmt::format(", attribute {}", attribute);
  return {fmt::format("{}{}: cannot be written in operator set {}: {}", to_string(op), what, opset,
                      reason),
          ErrorKind::Unsupported};
}

Result<OnnxEmitted> emit_call(const Op& op, std::span<const Shape> operands, int opset) {
  const OpDef& def = *op.def;
  for (const Shape& shape : operands) {
    if (!checked_count(shape))
      return Error{fmt::format("{}: an operand of shape {}", def.name, to_string(shape))};
  }
  OnnxEmitted out{def.name, op.attrs, {}};
  if (def.to_onnx != nullptr) {
    auto form = def.to_onnx(op, operands, opset);
    if (!form) return form;
    out = *std::move(form);
  } else {
    for (std::size_t i = 0; i < operands.size(); ++i) out.operands.emplace_back(i);
  }
  if (out.op_type == def.name && opset < def.since) {
    return not_in_opset(op, "", opset, fmt::format("the operator exists from {} on", def.since));
  }
  for (const auto& [name, value] : out.attrs) {
    const auto* real = std::get_if<double>(&value);
    if (real != nullptr && static_cast<double>(static_cast<float>(*real)) != *real)
      return not_in_opset(op, name, opset, "the value is no float32");
  }
  return out;
}

std::string to_string(const Op& op) {
  std::string inside;
  for (const AttrDef& attr : op.def->attrs) {
    const AttrValue* value = op.attrs.find(attr.name);
    if (value == nullptr || (!attr.required && *value == attr.standard)) continue;
    inside += fmt::format("{}{}={}", inside.empty() ? "" : ", ", attr.name, to_string(*value));
  }
  return inside.empty() ? op.def->name : fmt::format("{}<{}>", op.def->name, inside);
}

void digest_into(Digester& digester, const Op& op) {
  digester.add(op.def->name);
  digest_into(digester, op.attrs);
}

}  // namespace pet
