// A graph as PyTorch's exporter through TorchScript wrote it in 2021: a node is called after its
// operator and its place ("MatMul_57"), a value by a number, every constant is a node, sizes are
// computed where they are used, nothing is declared but inputs and outputs. Internal to
// datasets/models.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "datasets/models/models.h"
#include "datasets/models/transformer_weights.h"

namespace pet::datasets {

class ScriptGraph {
 public:
  ScriptGraph(const ModelRequest& request, std::int64_t opset);

  const Weights& weights() const { return weights_; }
  std::int64_t opset() const { return opset_; }

  std::string input(const std::string& name, ElementType type, const Shape& shape);
  // From now on `value` is called `name`.
  void output(const std::string& value, const std::string& name, const Shape& shape);

  // The results of a node.
  std::vector<std::string> nodes(const std::string& type, const std::vector<std::string>& inputs,
                                 const std::vector<Attribute>& attributes, int results);
  std::string op(const std::string& type, const std::vector<std::string>& inputs,
                 const std::vector<Attribute>& attributes = {});

  std::string constant(float number);
  std::string constant(std::int64_t number);  // a scalar
  std::string one_number(float number);       // of one extent
  std::string list(const Dims& numbers);

  // A parameter, written when it is first asked for.
  std::string parameter(const Parameter& parameter);
  // What the exporter computed ahead from a parameter has a number for its name.
  std::string folded(const Parameter& parameter);
  std::string buffer(const std::string& name, onnx::TensorProto tensor);

  std::string bytes() const { return writer_.bytes(); }

 private:
  std::string next_value() { return std::to_string(values_++); }
  std::string constant_node(onnx::TensorProto value);

  GraphWriter writer_;
  Weights weights_;
  std::int64_t opset_;
  int nodes_ = 0;
  int values_ = 0;
  std::set<std::string> parameters_;
};

}  // namespace pet::datasets
