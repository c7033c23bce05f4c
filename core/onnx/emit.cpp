#include "core/onnx/emit.h"

#include <fmt/format.h>

#include <optional>

#include "core/onnx/parsed_file.h"
#include "core/util/overloaded.h"

namespace pet::onnx_io {
namespace {

bool is_worth_writing(const AttrValue& value) {
  return std::visit(overloaded{[](const Ints& list) { return !list.empty(); },
                               [](const std::string& text) { return !text.empty(); },
                               [](const auto&) { return true; }},
                    value);
}

::onnx::NodeProto& add_node(Sheet& sheet, const std::string& op_type, const std::string& name) {
  auto& node = sheet.nodes.emplace_back();
  node.set_op_type(op_type);
  node.set_name(name);
  return node;
}

void emit_copy(const std::string& from, const std::string& to, const std::string& base,
               Sheet& sheet) {
  auto& node = add_node(sheet, "Identity", sheet.fresh(base + "/Identity"));
  node.add_input(from);
  node.add_output(to);
}

// A text for people shows what no file can hold under our own names.
Result<OnnxEmitted> form_of(const Graph& program, NodeId id, const Sheet& sheet) {
  const Op& op = *program.node(id).op();
  const std::size_t operands = program.node(id).operands.size();
  OnnxEmitted ours{op.def->name, op.attrs, {}};
  for (std::size_t i = 0; i < operands; ++i) ours.operands.emplace_back(i);
  if (!program.has_meaning(id)) return ours;
  auto form = emit_call(op, program.operand_shapes(id), sheet.opset);
  if (!form && sheet.purpose == Purpose::Text) return ours;
  return form;
}

std::string operand_name(const std::variant<std::size_t, Ints, IntTensor, Filled>& operand,
                         std::span<const std::string> ours, const std::string& base, Sheet& sheet) {
  return std::visit(
      overloaded{[&](std::size_t place) { return ours[place]; },
                 [&](const Ints& list) {
                   return sheet.constant(Tensor::of_ints({static_cast<Dim>(list.size())}, list),
                                         base + "/integers");
                 },
                 [&](const IntTensor& tensor) {
                   return sheet.constant(Tensor::of_ints(tensor.shape, tensor.values),
                                         base + "/integers");
                 },
                 [&](const Filled& filled) {
                   const auto elements = static_cast<std::size_t>(count(filled.shape));
                   return sheet.constant(
                       Tensor::of_floats(filled.shape, std::vector<float>(elements, filled.value)),
                       base + "/filled");
                 }},
      operand);
}

// Of a node and its result: under the names that the sheet keeps, else none.
std::string kept_name(const Node& node, Sheet& sheet) {
  return sheet.keeps_names && !node.name.empty() ? sheet.fresh(node.name) : "";
}

// Gives the name of the result: `wanted` unless empty.
std::string add_form(const OnnxEmitted& form, const Node& node,
                     const std::map<NodeId, std::string>& values, const std::string& wanted,
                     const std::string& base, Sheet& sheet) {
  std::vector<std::string> ours;
  for (const NodeId operand : node.operands) ours.push_back(values.at(operand));
  std::vector<std::string> reads;
  for (const auto& operand : form.operands)
    reads.push_back(operand_name(operand, ours, base, sheet));
  const auto name = sheet.keeps_names && !wanted.empty()
                        ? wanted
                        : sheet.fresh(fmt::format("{}/{}", base, form.op_type));
  auto& proto = add_node(sheet, form.op_type, name);
  for (auto& read : reads) proto.add_input(std::move(read));
  for (const auto& [attribute, value] : form.attrs) {
    if (is_worth_writing(value)) set_attribute(proto, attribute, value);
  }
  for (std::size_t k = 0; k < form.output; ++k) proto.add_output(sheet.fresh(name + "/unused"));
  const auto result = wanted.empty() ? name : wanted;
  proto.add_output(result);
  return result;
}

}  // namespace

std::string Sheet::fresh(const std::string& wanted) {
  if (names.insert(wanted).second) return wanted;
  for (std::size_t i = 1;; ++i) {
    auto [it, is_new] = names.insert(fmt::format("{}_{}", wanted, i));
    if (is_new) return *it;
  }
}

std::string Sheet::constant(const Tensor& tensor, const std::string& wanted) {
  const auto [it, is_new] = constants.try_emplace(tensor.digest());
  if (!is_new) return it->second;
  it->second = fresh(wanted);
  if (constants_as_nodes) {
    auto& node = add_node(*this, "Constant", it->second);
    auto* attribute = node.add_attribute();
    attribute->set_name("value");
    attribute->set_type(::onnx::AttributeProto::TENSOR);
    fill_tensor(*attribute->mutable_t(), tensor, it->second);
    node.add_output(it->second);
  } else {
    fill_tensor(initialisers.emplace_back(), tensor, it->second);
  }
  return it->second;
}

void set_attribute(::onnx::NodeProto& node, const std::string& name, const AttrValue& value) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  std::visit(overloaded{[&](std::int64_t x) {
                          attribute->set_type(::onnx::AttributeProto::INT);
                          attribute->set_i(x);
                        },
                        [&](const Ints& list) {
                          attribute->set_type(::onnx::AttributeProto::INTS);
                          for (const auto x : list) attribute->add_ints(x);
                        },
                        [&](double x) {
                          attribute->set_type(::onnx::AttributeProto::FLOAT);
                          attribute->set_f(static_cast<float>(x));
                        },
                        [&](const std::string& text) {
                          attribute->set_type(::onnx::AttributeProto::STRING);
                          attribute->set_s(text);
                        }},
             value);
}

void fill_type(::onnx::ValueInfoProto& value, const std::string& name, const TensorType& type) {
  value.set_name(name);
  auto* tensor = value.mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(static_cast<int>(type.dtype));
  if (!type.shape) return;
  auto* shape = tensor->mutable_shape();
  for (const Dim extent : *type.shape) shape->add_dim()->set_dim_value(extent);
}

Status emit(const Graph& program, std::span<const std::string> inputs,
            std::span<const std::string> outputs, const std::string& base, Sheet& sheet) {
  PET_CHECK(inputs.size() == program.inputs().size(), "a name for every input");
  PET_CHECK(outputs.size() == program.outputs().size(), "a name for every output");
  std::map<NodeId, std::string> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) values[program.inputs()[i]] = inputs[i];
  std::map<NodeId, std::string> made_as;
  for (std::size_t j = 0; j < outputs.size(); ++j)
    made_as.try_emplace(program.outputs()[j], outputs[j]);

  const auto needed = program.needed_by_outputs();
  for (const NodeId id : program.ids()) {
    const Node& node = program.node(id);
    if (needed[id.index()] == 0 || node.input() != nullptr) continue;
    if (const Tensor* tensor = node.constant()) {
      if (bytes_per_element(tensor->type().dtype) == 0 && sheet.purpose == Purpose::File) {
        return Error{"a constant without plain bytes cannot be written", ErrorKind::Unsupported};
      }
      const bool is_named = !sheet.nameless && !node.name.empty();
      values[id] = sheet.constant(*tensor, is_named ? node.name : base + "/constant");
      continue;
    }
    if (!program.has_meaning(id) && sheet.purpose == Purpose::File) {
      return Error{"an opaque node cannot be written anew", ErrorKind::Unsupported};
    }
    const auto form = form_of(program, id, sheet);
    if (!form) return Error(form.error()).within(base);
    const auto made = made_as.find(id);
    const auto wanted = made == made_as.end() ? kept_name(node, sheet) : made->second;
    values[id] = add_form(*form, node, values, wanted, base, sheet);
  }
  for (std::size_t j = 0; j < outputs.size(); ++j) {
    const auto& value = values.at(program.outputs()[j]);
    if (value != outputs[j]) emit_copy(value, outputs[j], base, sheet);
  }
  return Done{};
}

}  // namespace pet::onnx_io
