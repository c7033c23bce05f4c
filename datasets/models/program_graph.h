// A graph as PyTorch's exporter through torch.export writes it today: a value of the traced program
// keeps its name there ("linear_3"), one inside an operator's expansion is called "val_57", a node
// after its value, equal constants stand once among the weights, and every value is declared, with
// unknown extents where the exporter lost them. Internal to datasets/models.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "datasets/models/models.h"
#include "datasets/models/transformer_weights.h"

namespace pet::datasets {

struct Declared {
  ElementType type = onnx::TensorProto::FLOAT;
  Shape shape;
};

// A value and what is declared of it.
struct Tensor {
  std::string name;
  Shape shape;
};

struct Operation {
  std::string type;
  std::vector<std::string> inputs;
  std::vector<Attribute> attributes = {};
};

class ProgramGraph {
 public:
  explicit ProgramGraph(const ModelRequest& request);

  const Weights& weights() const { return weights_; }
  const Extent& batch() const { return batch_; }

  Tensor input(const std::string& name, ElementType type, const Shape& shape);
  // From now on the value is called `name`.
  void output(const Tensor& value, const std::string& name);

  // A result of the traced program: "linear", "linear_1", ...
  Tensor traced(const std::string& name, const Operation& operation, const Declared& declared);
  // A result inside the expansion of an operator.
  Tensor inner(const Operation& operation, const Declared& declared);
  // The equal parts of a Split.
  std::vector<Tensor> split(const Tensor& x, std::int64_t axis, int parts, const Declared& part);

  std::string integer(std::int64_t number);  // a scalar
  std::string integers(const Dims& numbers);
  std::string number(float number);                // a scalar
  std::string one_number(float number);            // of one extent
  std::string folded(const Parameter& parameter);  // what was computed ahead from a parameter
  std::string parameter(const Parameter& parameter);
  // A constant of the traced program.
  Tensor constant(const std::string& name, onnx::TensorProto tensor);

  std::string bytes() const { return writer_.bytes(); }

 private:
  std::string traced_name(const std::string& name);
  std::string inner_name() { return "val_" + std::to_string(inner_++); }
  Tensor add(const std::string& name, const std::string& node, const Operation& operation,
             const Declared& declared);
  std::string shared(const onnx::TensorProto& tensor);
  void keep(const std::string& name, const onnx::TensorProto& tensor);

  GraphWriter writer_;
  Weights weights_;
  Extent batch_;
  int inner_ = 0;
  std::map<std::string, int> traced_;             // how often a name was given
  std::map<std::string, std::string> constants_;  // bytes of a tensor -> its name
};

}  // namespace pet::datasets
