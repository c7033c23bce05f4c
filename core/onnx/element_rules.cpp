#include "core/onnx/element_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/onnx/node_context.h"
#include "core/util/check.h"
#include "core/util/printable.h"

namespace pet::onnx_io {

using ::onnx::GraphProto;
using ::onnx::NodeProto;
using ::onnx::OpSchema;
using ::onnx::TypeProto;

namespace {

std::string element_in_words(int number) {
  const auto known = dtype_from(number);
  return known ? std::string(to_string(*known)) : fmt::format("type {}", number);
}

}  // namespace

std::optional<TypeProto> without_shapes(const TypeProto& type) {
  TypeProto out;
  const auto inner = [](const TypeProto& of) { return without_shapes(of); };
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      out.mutable_tensor_type()->set_elem_type(type.tensor_type().elem_type());
      if (type.tensor_type().elem_type() == 0) return std::nullopt;
      return out;
    case TypeProto::kSparseTensorType:
      out.mutable_sparse_tensor_type()->set_elem_type(type.sparse_tensor_type().elem_type());
      if (type.sparse_tensor_type().elem_type() == 0) return std::nullopt;
      return out;
    case TypeProto::kSequenceType: {
      auto elements = inner(type.sequence_type().elem_type());
      if (!elements) return std::nullopt;
      *out.mutable_sequence_type()->mutable_elem_type() = *std::move(elements);
      return out;
    }
    case TypeProto::kOptionalType: {
      auto elements = inner(type.optional_type().elem_type());
      if (!elements) return std::nullopt;
      *out.mutable_optional_type()->mutable_elem_type() = *std::move(elements);
      return out;
    }
    case TypeProto::kMapType: {
      auto values = inner(type.map_type().value_type());
      if (!values || type.map_type().key_type() == 0) return std::nullopt;
      out.mutable_map_type()->set_key_type(type.map_type().key_type());
      *out.mutable_map_type()->mutable_value_type() = *std::move(values);
      return out;
    }
    case TypeProto::kOpaqueType:
      *out.mutable_opaque_type() = type.opaque_type();
      return out;
    case TypeProto::VALUE_NOT_SET:
      break;
  }
  return std::nullopt;
}

std::string in_words(const TypeProto& type) {
  switch (type.value_case()) {
    case TypeProto::kTensorType:
      return element_in_words(type.tensor_type().elem_type());
    case TypeProto::kSparseTensorType:
      return "sparse " + element_in_words(type.sparse_tensor_type().elem_type());
    case TypeProto::kSequenceType:
      return "a sequence of " + in_words(type.sequence_type().elem_type());
    case TypeProto::kOptionalType:
      return "an optional " + in_words(type.optional_type().elem_type());
    case TypeProto::kMapType:
      return fmt::format("a map from {} to {}", element_in_words(type.map_type().key_type()),
                         in_words(type.map_type().value_type()));
    case TypeProto::kOpaqueType:
      return fmt::format("an opaque {}::{}", printable_whole(type.opaque_type().domain()),
                         printable_whole(type.opaque_type().name()));
    case TypeProto::VALUE_NOT_SET:
      break;
  }
  return "?";
}

bool are_equal(const std::optional<TypeProto>& a, const std::optional<TypeProto>& b) {
  return !a || !b || in_words(*a) == in_words(*b);
}

namespace {

const OpSchema::FormalParameter* formal(const std::vector<OpSchema::FormalParameter>& all, int at) {
  if (all.empty()) return nullptr;
  const auto place = static_cast<std::size_t>(at);
  const OpSchema::FormalParameter& last = all.back();
  if (place >= all.size() && last.GetOption() != OpSchema::Variadic) return nullptr;
  return &all[std::min(place, all.size() - 1)];
}

bool is_variable(const OpSchema& schema, const std::string& name) {
  for (const auto& variable : schema.typeConstraintParams())
    if (variable.type_param_str == name) return true;
  return false;
}

// By type variables that operands bind.
Types by_variables(const OpSchema& schema, const NodeProto& node, const Types& operands) {
  std::map<std::string, std::optional<TypeProto>> bound;
  for (int i = 0; i < node.input_size(); ++i) {
    const auto& type = operands[static_cast<std::size_t>(i)];
    const auto* what = formal(schema.inputs(), i);
    if (!type || what == nullptr || !is_variable(schema, what->GetTypeStr())) continue;
    if (what->GetOption() == OpSchema::Variadic && !what->GetIsHomogeneous()) continue;
    const auto [known, is_new] = bound.emplace(what->GetTypeStr(), type);
    if (!is_new && !are_equal(known->second, type)) known->second.reset();  // no such node
  }
  Types out(static_cast<std::size_t>(node.output_size()));
  for (int i = 0; i < node.output_size(); ++i) {
    const auto* what = formal(schema.outputs(), i);
    if (what == nullptr) continue;
    if (what->GetOption() == OpSchema::Variadic && !what->GetIsHomogeneous()) continue;
    if (const auto known = bound.find(what->GetTypeStr()); known != bound.end())
      out[static_cast<std::size_t>(i)] = known->second;
  }
  return out;
}

bool are_all_known(const NodeProto& node, const Types& operands) {
  for (int i = 0; i < node.input_size(); ++i)
    if (!node.input(i).empty() && !operands[static_cast<std::size_t>(i)]) return false;
  return true;
}

}  // namespace

Types results_by_rules(const NodeProto& node, const OpsetTable& opsets, const Types& operands,
                       const ReadNested& read_nested) {
  const Rules rules = rules_of(node, opsets);
  if (rules.schema == nullptr) return {};
  // Attributes of a call stand elsewhere.
  for (const auto& attribute : node.attribute())
    if (!attribute.ref_attr_name().empty()) return {};
  Types out;
  // The library says what it does not like by throwing; whether a node is one of its operator set
  // is asked elsewhere.
  try {
    out = by_variables(*rules.schema, node, operands);
    if (!rules.is_of_that_set || !are_all_known(node, operands)) return out;
    rules.schema->Verify(node);
    NodeContext context(node, operands, {}, read_nested);
    rules.schema->GetTypeAndShapeInferenceFunction()(context);
    Types told = context.results();
    for (auto& type : told)
      if (type) type = without_shapes(*type);
    for (std::size_t i = 0; i < told.size(); ++i)
      if (told[i]) out[i] = told[i];
  } catch (const CheckFailed&) {
    throw;
  } catch (const std::exception&) {
    return out;
  }
  return out;
}

}  // namespace pet::onnx_io
