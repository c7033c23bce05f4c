// Writes one ONNX model node by node, with seeded weights, in the form and with the names that
// PyTorch's exporter gives to a network in evaluation mode. Internal to datasets/models.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/models/graph_writer.h"
#include "datasets/models/models.h"
#include "datasets/models/weights.h"

namespace pet::datasets {

// A result inside the network. Its shape is kept so that no caller repeats a size.
struct Value {
  std::string name;
  Dims shape;
};

// One number for all spatial axes, or one for each of them.
class PerAxis {
 public:
  PerAxis(std::int64_t all) : values_{all} {}
  PerAxis(std::initializer_list<std::int64_t> each) : values_(each) {}

  std::int64_t at(std::size_t axis) const {
    return values_.size() == 1 ? values_[0] : values_.at(axis);
  }

 private:
  Dims values_;
};

struct ConvSpec {
  std::int64_t filters = 1;
  PerAxis kernel = 1;
  PerAxis stride = 1;
  PerAxis pad = 0;  // on both sides
  PerAxis dilation = 1;
  std::int64_t groups = 1;
  bool same =
      false;  // instead of `pad`: so that a stride of 1 keeps the extent, the odd zero behind
};

struct PoolSpec {
  PerAxis kernel = 2;
  PerAxis stride = 2;
  PerAxis pad = 0;
  bool same = false;  // as for a convolution
};

// How the numbers of a weight of a matrix product are drawn: with this deviation times that which
// keeps the size of independent numbers.
struct ProductSpec {
  Dims weight;  // its shape: a matrix, or of the rank of the other factor
  double gain = 1;
};

// A scope is the path of a module, "/features/conv0". The node is called "/features/conv0/Conv",
// its result
// "/features/conv0/Conv_output_0" and its parameters "features.conv0.weight" and so on.
class Network {
 public:
  explicit Network(const ModelRequest& request);

  Value input(const std::string& name, const Dims& shape);
  Value conv(const std::string& scope, const Value& x, const ConvSpec& spec);
  Value conv_relu(const std::string& scope, const Value& x, const ConvSpec& spec);
  // A convolution and the batch norm that follows it: one node where batch norms are folded,
  // otherwise two.
  Value conv_norm(const std::string& conv_scope, const std::string& norm_scope, const Value& x,
                  const ConvSpec& spec);
  Value batch_norm(const std::string& scope, const Value& x);
  Value relu(const std::string& scope, const Value& x);
  Value sigmoid(const std::string& scope, const Value& x);
  Value tanh(const std::string& scope, const Value& x);
  Value dropout(const std::string& scope, const Value& x);  // which does nothing in evaluation mode
  Value max_pool(const std::string& scope, const Value& x, const PoolSpec& spec);
  Value average_pool(const std::string& scope, const Value& x, const PoolSpec& spec);
  Value global_average_pool(const std::string& scope, const Value& x);
  Value concat(const std::string& scope, const std::vector<Value>& parts, std::size_t axis = 1);
  Value first_row(const std::string& scope, const Value& x);  // of a matrix
  Value add(const std::string& scope, const Value& a, const Value& b);
  Value multiply(const std::string& scope, const Value& a, const Value& b);
  Value flatten(const std::string& scope, const Value& x);
  Value linear(const std::string& scope, const Value& x, std::int64_t outputs);  // Gemm with bias
  Value matmul(const std::string& scope, const Value& x, const ProductSpec& spec);
  // The same by a matrix that is stored transposed, and transposed by a node of its own.
  Value matmul_transposed(const std::string& scope, const Value& x, std::int64_t outputs);
  // The same with a bias along the last axis, which is a node of its own.
  Value matmul_bias(const std::string& scope, const Value& x, const ProductSpec& spec);
  // The product of two results along their last two axes.
  Value product(const std::string& scope, const Value& a, const Value& b);
  Value softmax(const std::string& scope, const Value& x);  // along the last axis
  Value transpose(const std::string& scope, const Value& x, const std::vector<std::size_t>& order);
  Value reshape(const std::string& scope, const Value& x, const Dims& shape);
  // A parameter that is read as any other value.
  Value parameter(const std::string& scope, const Dims& shape, double deviation);
  // Declares x an output of the model; its producer then writes `name`.
  void output(const Value& x, const std::string& name);

  std::string bytes() const;

 private:
  struct Norm {
    std::vector<float> scale, bias, mean, variance;
  };

  onnx::NodeProto& node(const std::string& scope, const std::string& type,
                        const std::vector<std::string>& inputs);
  Value elementwise(const std::string& scope, const std::string& type,
                    const std::vector<Value>& operands);
  Value result(const onnx::NodeProto& node, Dims shape) const;
  Value conv_node(const std::string& scope, const Value& x, const ConvSpec& spec,
                  const std::vector<float>& weight, const std::vector<float>& bias);
  std::vector<float> conv_weight(const std::string& scope, const Value& x,
                                 const ConvSpec& spec) const;
  Norm norm_parameters(const std::string& scope, std::int64_t channels) const;
  std::string initializer(const std::string& name, const Dims& shape,
                          const std::vector<float>& data);
  std::string initializer(const std::string& name, const Dims& integers);

  GraphWriter writer_;
  Weights weights_;
  bool fold_batchnorm_;
};

}  // namespace pet::datasets
