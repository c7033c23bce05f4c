#include "datasets/models/program_graph.h"

#include <utility>

#include "datasets/models/request.h"

namespace pet::datasets {
namespace {

constexpr FileVersion kVersion{.opset = 20, .ir = 10};

}  // namespace

ProgramGraph::ProgramGraph(const ModelRequest& request)
    : writer_(doc_of(request), kVersion), weights_(request.seed), batch_(open_batch(request)) {}

Tensor ProgramGraph::input(const std::string& name, ElementType type, const Shape& shape) {
  writer_.input(name, type, shape);
  return {name, shape};
}

void ProgramGraph::output(const Tensor& value, const std::string& name) {
  writer_.rename(value.name, name);
  writer_.output(name, onnx::TensorProto::FLOAT, value.shape);
}

Tensor ProgramGraph::traced(const std::string& name, const Operation& operation,
                            const Declared& declared) {
  const std::string given = traced_name(name);
  return add(given, "node_" + given, operation, declared);
}

Tensor ProgramGraph::inner(const Operation& operation, const Declared& declared) {
  const std::string node = "node_" + operation.type + "_" + std::to_string(inner_);
  return add(inner_name(), node, operation, declared);
}

std::vector<Tensor> ProgramGraph::split(const Tensor& x, std::int64_t axis, int parts,
                                        const Declared& part) {
  const std::string given = traced_name("split");
  std::vector<Tensor> results;
  std::vector<std::string> names;
  for (int i = 0; i < parts; ++i) {
    names.push_back(given + "_split_" + std::to_string(i));
    writer_.value_info(names.back(), part.type, part.shape);
    results.push_back({names.back(), part.shape});
  }
  onnx::NodeProto& node = writer_.node("node_" + given, "Split", {x.name}, names);
  set(node, {"axis", axis});
  set(node, {"num_outputs", std::int64_t{parts}});
  return results;
}

std::string ProgramGraph::integer(std::int64_t number) {
  return shared(tensor_of({}, Dims{number}));
}

std::string ProgramGraph::integers(const Dims& numbers) {
  return shared(tensor_of({static_cast<std::int64_t>(numbers.size())}, numbers));
}

std::string ProgramGraph::number(float number) {
  return shared(tensor_of({}, std::vector<float>{number}));
}

std::string ProgramGraph::one_number(float number) {
  return shared(tensor_of({1}, std::vector<float>{number}));
}

std::string ProgramGraph::folded(const Parameter& parameter) {
  const std::string name = inner_name();
  keep(name, tensor_of(parameter.shape, parameter.numbers));
  return name;
}

std::string ProgramGraph::parameter(const Parameter& parameter) {
  keep(parameter.name, tensor_of(parameter.shape, parameter.numbers));
  return parameter.name;
}

Tensor ProgramGraph::constant(const std::string& name, onnx::TensorProto tensor) {
  const std::string given = traced_name(name);
  keep(given, tensor);
  return {given, Shape(tensor.dims().begin(), tensor.dims().end())};
}

std::string ProgramGraph::traced_name(const std::string& name) {
  const int before = traced_[name]++;
  return before == 0 ? name : name + "_" + std::to_string(before);
}

Tensor ProgramGraph::add(const std::string& name, const std::string& node,
                         const Operation& operation, const Declared& declared) {
  onnx::NodeProto& made = writer_.node(node, operation.type, operation.inputs, {name});
  for (const Attribute& attribute : operation.attributes) set(made, attribute);
  writer_.value_info(name, declared.type, declared.shape);
  return {name, declared.shape};
}

std::string ProgramGraph::shared(const onnx::TensorProto& tensor) {
  const auto [found, is_new] = constants_.try_emplace(tensor.SerializeAsString());
  if (is_new) {
    found->second = inner_name();
    keep(found->second, tensor);
  }
  return found->second;
}

// Weights are declared like values.
void ProgramGraph::keep(const std::string& name, const onnx::TensorProto& tensor) {
  writer_.value_info(name, static_cast<ElementType>(tensor.data_type()),
                     Shape(tensor.dims().begin(), tensor.dims().end()));
  writer_.initializer(name, tensor);
}

}  // namespace pet::datasets
