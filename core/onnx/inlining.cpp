#include "core/onnx/inlining.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace pet::onnx_io {
namespace {

using ::onnx::AttributeProto;
using ::onnx::FunctionProto;
using ::onnx::GraphProto;
using ::onnx::NodeProto;

using Names = std::map<std::string, std::string>;

void rename_values(NodeProto& node, const Names& names);

void rename(std::string& name, const Names& names) {
  if (const auto to = names.find(name); to != names.end()) name = to->second;
}

// What a nested graph defines itself stays as it is.
void rename_captured(GraphProto& graph, Names names) {
  for (const auto& input : graph.input()) names.erase(input.name());
  for (const auto& tensor : graph.initializer()) names.erase(tensor.name());
  for (const NodeProto& node : graph.node())
    for (const auto& output : node.output()) names.erase(output);
  for (NodeProto& node : *graph.mutable_node()) rename_values(node, names);
  for (auto& output : *graph.mutable_output()) rename(*output.mutable_name(), names);
}

void rename_values(NodeProto& node, const Names& names) {
  for (auto& name : *node.mutable_input()) rename(name, names);
  for (auto& name : *node.mutable_output()) rename(name, names);
  for (AttributeProto& attribute : *node.mutable_attribute()) {
    if (attribute.has_g()) rename_captured(*attribute.mutable_g(), names);
    for (GraphProto& graph : *attribute.mutable_graphs()) rename_captured(graph, names);
  }
}

NodeProto copy_of(const std::string& from, const std::string& to) {
  NodeProto node;
  node.set_op_type("Identity");
  node.add_input(from);
  node.add_output(to);
  return node;
}

// Attributes that refer to those of the call become what it gives; what it does not give is left
// out. False inside a nested graph, where nobody looks.
bool give_attributes(NodeProto& node, const NodeProto& call) {
  google::protobuf::RepeatedPtrField<AttributeProto> kept;
  for (const AttributeProto& attribute : node.attribute()) {
    if (attribute.has_g() || attribute.graphs_size() > 0) return false;
    if (attribute.ref_attr_name().empty()) {
      *kept.Add() = attribute;
      continue;
    }
    for (const AttributeProto& given : call.attribute()) {
      if (given.name() != attribute.ref_attr_name()) continue;
      *kept.Add() = given;
      kept.rbegin()->set_name(attribute.name());
    }
  }
  node.mutable_attribute()->Swap(&kept);
  return true;
}

// Newer files give attributes of functions values by default, in a field that is unknown here.
bool has_defaults(const FunctionProto& function) {
  constexpr int kAttributeProto = 11;
  const auto& unknown = function.GetReflection()->GetUnknownFields(function);
  for (int i = 0; i < unknown.field_count(); ++i)
    if (unknown.field(i).number() == kAttributeProto) return true;
  return false;
}

// Nothing where a name or a result is wanted that nobody gives.
std::optional<InPlace> body_of_call(const NodeProto& node, const FunctionProto& function,
                                    const std::string& prefix) {
  if (has_defaults(function)) return std::nullopt;
  if (node.input_size() > function.input_size() || node.output_size() > function.output_size())
    return std::nullopt;
  Names names;
  for (int i = 0; i < function.input_size(); ++i)
    names[function.input(i)] = i < node.input_size() ? node.input(i) : std::string{};
  for (const NodeProto& inner : function.node())
    for (const auto& output : inner.output())
      if (!output.empty() && !names.contains(output)) names[output] = prefix + output;
  InPlace out;
  for (const NodeProto& inner : function.node()) {
    for (const auto& input : inner.input())  // a value of the graph outside is none of a function's
      if (!input.empty() && !names.contains(input)) return std::nullopt;
    NodeProto& made = out.nodes.emplace_back(inner);
    if (!give_attributes(made, node)) return std::nullopt;
    rename_values(made, names);
  }
  for (int k = 0; k < node.output_size(); ++k) {
    if (node.output(k).empty()) continue;
    const auto from = names.find(function.output(k));
    if (from == names.end() || from->second.empty()) return std::nullopt;
    out.nodes.push_back(copy_of(from->second, node.output(k)));
  }
  return out;
}

// REQUIRES: as many results as the node has
InPlace body_of_branch(const NodeProto& node, const GraphProto& branch, const std::string& prefix) {
  Names names;
  InPlace out;
  for (const auto& tensor : branch.initializer()) {
    names[tensor.name()] = prefix + tensor.name();
    out.constants.push_back(tensor);
    out.constants.back().set_name(prefix + tensor.name());
  }
  for (const NodeProto& inner : branch.node())
    for (const auto& output : inner.output())
      if (!output.empty()) names[output] = prefix + output;
  for (const NodeProto& inner : branch.node()) rename_values(out.nodes.emplace_back(inner), names);
  for (int k = 0; k < node.output_size(); ++k) {
    if (node.output(k).empty()) continue;
    std::string from = branch.output(k).name();
    rename(from, names);
    out.nodes.push_back(copy_of(from, node.output(k)));
  }
  return out;
}

bool has_opsets_of(const OpsetTable& file, const FunctionProto& function) {
  const auto own = opset_table(function.opset_import());
  return own && std::ranges::all_of(*own, [&](const auto& one) {
           const auto known = file.find(one.first);
           return known != file.end() && known->second == one.second;
         });
}

}  // namespace

std::string Bodies::prefix() const { return fmt::format("inlined:{}:", nodes_); }

std::optional<InPlace> Bodies::within_limit(std::optional<InPlace> body) {
  constexpr std::size_t kMostNodes = 100'000;
  if (!body || nodes_ + body->nodes.size() > kMostNodes) return std::nullopt;
  nodes_ += body->nodes.size();
  return body;
}

std::optional<InPlace> Bodies::of_call(const NodeProto& node, const FunctionProto& function,
                                       const OpsetTable& opsets) {
  if (!has_opsets_of(opsets, function)) return std::nullopt;
  return within_limit(body_of_call(node, function, prefix()));
}

std::optional<InPlace> Bodies::of_choice(const NodeProto& node, const Tensor& condition) {
  const bool is_truth = condition.type().dtype == DType::Bool && condition.bytes().size() == 1;
  if (node.op_type() != "If" || !is_truth) return std::nullopt;
  const char* which = condition.bytes()[0] != std::byte{0} ? "then_branch" : "else_branch";
  for (const AttributeProto& attribute : node.attribute()) {
    if (attribute.name() != which || !attribute.has_g()) continue;
    const GraphProto& branch = attribute.g();
    const bool is_plain = branch.sparse_initializer_size() == 0 && branch.input_size() == 0;
    if (!is_plain || branch.output_size() != node.output_size()) return std::nullopt;
    return within_limit(body_of_branch(node, branch, prefix()));
  }
  return std::nullopt;
}

}  // namespace pet::onnx_io
