#include "datasets/models/script_graph.h"

#include <utility>

#include "datasets/models/request.h"

namespace pet::datasets {
namespace {

// The file format that went with each operator set.
FileVersion version_of(std::int64_t opset) { return {opset, opset < 12 ? 6 : 7}; }

}  // namespace

ScriptGraph::ScriptGraph(const ModelRequest& request, std::int64_t opset)
    : writer_(doc_of(request), version_of(opset)), weights_(request.seed), opset_(opset) {}

std::string ScriptGraph::input(const std::string& name, ElementType type, const Shape& shape) {
  writer_.input(name, type, shape);
  return name;
}

void ScriptGraph::output(const std::string& value, const std::string& name, const Shape& shape) {
  writer_.rename(value, name);
  writer_.output(name, onnx::TensorProto::FLOAT, shape);
}

std::vector<std::string> ScriptGraph::nodes(const std::string& type,
                                            const std::vector<std::string>& inputs,
                                            const std::vector<Attribute>& attributes, int results) {
  std::vector<std::string> values;
  for (int i = 0; i < results; ++i) values.push_back(next_value());
  onnx::NodeProto& made = writer_.node(type + "_" + std::to_string(nodes_++), type, inputs, values);
  for (const Attribute& attribute : attributes) set(made, attribute);
  return values;
}

std::string ScriptGraph::op(const std::string& type, const std::vector<std::string>& inputs,
                            const std::vector<Attribute>& attributes) {
  return nodes(type, inputs, attributes, 1).front();
}

std::string ScriptGraph::constant(float number) {
  return constant_node(tensor_of({}, std::vector<float>{number}));
}

std::string ScriptGraph::constant(std::int64_t number) {
  return constant_node(tensor_of({}, Dims{number}));
}

std::string ScriptGraph::one_number(float number) {
  return constant_node(tensor_of({1}, std::vector<float>{number}));
}

std::string ScriptGraph::list(const Dims& numbers) {
  return constant_node(tensor_of({static_cast<std::int64_t>(numbers.size())}, numbers));
}

std::string ScriptGraph::parameter(const Parameter& parameter) {
  if (parameters_.insert(parameter.name).second)
    writer_.initializer(parameter.name, tensor_of(parameter.shape, parameter.numbers));
  return parameter.name;
}

std::string ScriptGraph::folded(const Parameter& parameter) {
  return buffer(next_value(), tensor_of(parameter.shape, parameter.numbers));
}

std::string ScriptGraph::buffer(const std::string& name, onnx::TensorProto tensor) {
  writer_.initializer(name, std::move(tensor));
  return name;
}

std::string ScriptGraph::constant_node(onnx::TensorProto value) {
  return op("Constant", {}, {{"value", std::move(value)}});
}

}  // namespace pet::datasets
