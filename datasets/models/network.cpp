#include "datasets/models/network.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "core/util/check.h"
#include "core/util/digest.h"
#include "core/util/rng.h"

namespace pet::datasets {
namespace {

constexpr std::int64_t kOpset = 17;
constexpr std::int64_t kIrVersion = 8;
constexpr float kEpsilon = 1e-5F;

// Times the reciprocal of a filter's size: the variance of its numbers. 2 keeps the second moment
// behind a ReLU (Kaiming), 2 / (1 - 1/pi) its variance; between them neither the sums of ResNet
// grow nor the features of DenseNet fade.
constexpr double kGain = 2.4;

std::size_t element_count(const Dims& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return static_cast<std::size_t>(count);
}

// The spatial extents of what a window finds when it slides over x.
Dims window_counts(const Value& x, const PerAxis& kernel, const PerAxis& stride, const PerAxis& pad,
                   const PerAxis& dilation) {
  Dims counts;
  for (std::size_t i = 0; i + 2 < x.shape.size(); ++i) {
    const std::int64_t reach = dilation.at(i) * (kernel.at(i) - 1) + 1;
    counts.push_back((x.shape[i + 2] + 2 * pad.at(i) - reach) / stride.at(i) + 1);
  }
  return counts;
}

std::int64_t volume(const PerAxis& extents, std::size_t axes) {
  std::int64_t product = 1;
  for (std::size_t i = 0; i < axes; ++i) product *= extents.at(i);
  return product;
}

Dims with_spatial(std::int64_t batch, std::int64_t channels, const Dims& spatial) {
  Dims shape{batch, channels};
  shape.insert(shape.end(), spatial.begin(), spatial.end());
  return shape;
}

// "/layer1/layer1.0/conv1" names the parameters "layer1.0.conv1": a child of a sequence repeats the
// sequence's name.
std::string parameter_prefix(const std::string& scope) {
  std::string prefix;
  std::size_t begin = 1;
  while (begin < scope.size()) {
    const std::size_t end = std::min(scope.find('/', begin), scope.size());
    const std::string part = scope.substr(begin, end - begin);
    if (scope.compare(std::min(end + 1, scope.size()), part.size() + 1, part + ".") != 0)
      prefix += part + ".";
    begin = end + 1;
  }
  return prefix;
}

Rng stream_of(std::uint64_t seed, const std::string& name) {
  const Digest key = Digester("datasets/models weights").add(seed).add(name).finish();
  std::uint64_t state = 0;
  for (std::size_t i = 0; i < 8; ++i) state |= std::uint64_t{key.bytes[i]} << (8 * i);
  return Rng(state);
}

onnx::AttributeProto& attribute(onnx::NodeProto& node, const char* name,
                                onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto& made = *node.add_attribute();
  made.set_name(name);
  made.set_type(type);
  return made;
}

void set_int(onnx::NodeProto& node, const char* name, std::int64_t value) {
  attribute(node, name, onnx::AttributeProto::INT).set_i(value);
}

void set_float(onnx::NodeProto& node, const char* name, float value) {
  attribute(node, name, onnx::AttributeProto::FLOAT).set_f(value);
}

// The values of all spatial axes, `times` times over.
void set_ints(onnx::NodeProto& node, const char* name, const PerAxis& values, std::size_t axes,
              int times = 1) {
  onnx::AttributeProto& made = attribute(node, name, onnx::AttributeProto::INTS);
  for (int time = 0; time < times; ++time) {
    for (std::size_t i = 0; i < axes; ++i) made.add_ints(values.at(i));
  }
}

void declare(onnx::ValueInfoProto& info, const std::string& name, const Dims& shape) {
  info.set_name(name);
  onnx::TypeProto::Tensor& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(onnx::TensorProto::FLOAT);
  for (const std::int64_t extent : shape) tensor.mutable_shape()->add_dim()->set_dim_value(extent);
}

std::size_t spatial_axes(const Value& x) { return x.shape.size() - 2; }

// The attributes of a pool of x; the shape of its result.
Dims set_window(onnx::NodeProto& node, const Value& x, const PoolSpec& spec) {
  const std::size_t axes = spatial_axes(x);
  set_ints(node, "kernel_shape", spec.kernel, axes);
  set_ints(node, "pads", spec.pad, axes, 2);
  set_ints(node, "strides", spec.stride, axes);
  return with_spatial(x.shape[0], x.shape[1],
                      window_counts(x, spec.kernel, spec.stride, spec.pad, 1));
}

}  // namespace

Network::Network(const std::string& name, std::uint64_t seed, bool fold_batchnorm)
    : seed_(seed), fold_batchnorm_(fold_batchnorm) {
  model_.set_ir_version(kIrVersion);
  model_.set_producer_name("pet-datasets");
  model_.set_doc_string(name + " with weights drawn from seed " + std::to_string(seed));
  model_.add_opset_import()->set_version(kOpset);
  model_.mutable_graph()->set_name("main_graph");
}

Value Network::input(const std::string& name, const Dims& shape) {
  declare(*model_.mutable_graph()->add_input(), name, shape);
  return {name, shape};
}

Value Network::conv(const std::string& scope, const Value& x, const ConvSpec& spec) {
  return conv_node(scope, x, spec, conv_weight(scope, x, spec), {});
}

Value Network::conv_norm(const std::string& conv_scope, const std::string& norm_scope,
                         const Value& x, const ConvSpec& spec) {
  if (!fold_batchnorm_) return batch_norm(norm_scope, conv(conv_scope, x, spec));
  std::vector<float> weight = conv_weight(conv_scope, x, spec);
  const Norm norm = norm_parameters(norm_scope, spec.filters);
  const std::size_t filters = norm.scale.size();
  const std::size_t size = weight.size() / filters;
  std::vector<float> bias(filters);
  for (std::size_t f = 0; f < filters; ++f) {
    const double factor = norm.scale[f] / std::sqrt(double{norm.variance[f]} + double{kEpsilon});
    for (std::size_t i = f * size; i < (f + 1) * size; ++i) {
      weight[i] = static_cast<float>(weight[i] * factor);
    }
    bias[f] = static_cast<float>(norm.bias[f] - norm.mean[f] * factor);
  }
  return conv_node(conv_scope, x, spec, weight, bias);
}

Value Network::batch_norm(const std::string& scope, const Value& x) {
  const Norm norm = norm_parameters(scope, x.shape[1]);
  const std::string prefix = parameter_prefix(scope);
  const Dims shape{x.shape[1]};
  onnx::NodeProto& n = node(scope, "BatchNormalization",
                            {x.name, initializer(prefix + "weight", shape, norm.scale),
                             initializer(prefix + "bias", shape, norm.bias),
                             initializer(prefix + "running_mean", shape, norm.mean),
                             initializer(prefix + "running_var", shape, norm.variance)});
  set_float(n, "epsilon", kEpsilon);
  set_float(n, "momentum", 0.9F);
  set_int(n, "training_mode", 0);
  return result(n, x.shape);
}

Value Network::relu(const std::string& scope, const Value& x) {
  return result(node(scope, "Relu", {x.name}), x.shape);
}

Value Network::max_pool(const std::string& scope, const Value& x, const PoolSpec& spec) {
  onnx::NodeProto& n = node(scope, "MaxPool", {x.name});
  set_int(n, "ceil_mode", 0);
  set_ints(n, "dilations", 1, spatial_axes(x));
  return result(n, set_window(n, x, spec));
}

Value Network::average_pool(const std::string& scope, const Value& x, const PoolSpec& spec) {
  onnx::NodeProto& n = node(scope, "AveragePool", {x.name});
  set_int(n, "ceil_mode", 0);
  set_int(n, "count_include_pad", 1);
  return result(n, set_window(n, x, spec));
}

Value Network::global_average_pool(const std::string& scope, const Value& x) {
  return result(node(scope, "GlobalAveragePool", {x.name}),
                with_spatial(x.shape[0], x.shape[1], Dims(spatial_axes(x), 1)));
}

Value Network::concat(const std::string& scope, const std::vector<Value>& parts) {
  PET_CHECK(!parts.empty(), "concat needs a part");
  Dims shape = parts.front().shape;
  shape[1] = 0;
  std::vector<std::string> names;
  for (const Value& part : parts) {
    shape[1] += part.shape[1];
    names.push_back(part.name);
  }
  onnx::NodeProto& n = node(scope, "Concat", names);
  set_int(n, "axis", 1);
  return result(n, std::move(shape));
}

Value Network::add(const std::string& scope, const Value& a, const Value& b) {
  PET_CHECK(a.shape == b.shape, "add needs two results of one shape");
  return result(node(scope, "Add", {a.name, b.name}), a.shape);
}

Value Network::flatten(const std::string& scope, const Value& x) {
  onnx::NodeProto& n = node(scope, "Flatten", {x.name});
  set_int(n, "axis", 1);
  const auto elements = static_cast<std::int64_t>(element_count(x.shape));
  return result(n, {x.shape[0], elements / x.shape[0]});
}

Value Network::linear(const std::string& scope, const Value& x, std::int64_t outputs) {
  const std::string prefix = parameter_prefix(scope);
  const Dims shape{outputs, x.shape[1]};
  const double deviation = 1.0 / std::sqrt(static_cast<double>(x.shape[1]));
  const auto biases = static_cast<std::size_t>(outputs);
  const std::vector<float> weight = normal(prefix + "weight", element_count(shape), deviation);
  const std::vector<float> bias = normal(prefix + "bias", biases, deviation);
  onnx::NodeProto& n = node(scope, "Gemm",
                            {x.name, initializer(prefix + "weight", shape, weight),
                             initializer(prefix + "bias", {outputs}, bias)});
  set_float(n, "alpha", 1.0F);
  set_float(n, "beta", 1.0F);
  set_int(n, "transB", 1);
  return result(n, {x.shape[0], outputs});
}

Value Network::matmul(const std::string& scope, const Value& x, const ProductSpec& spec) {
  const Dims& weight = spec.weight;
  PET_CHECK(weight.size() == 2 || weight.size() == x.shape.size(),
            "matmul takes a matrix or a weight of the rank of its input");
  const std::string name = parameter_prefix(scope) + "weight";
  const double deviation = spec.gain / std::sqrt(static_cast<double>(x.shape.back()));
  const std::vector<float> data = normal(name, element_count(weight), deviation);
  Dims shape = x.shape;
  shape.back() = weight.back();
  return result(node(scope, "MatMul", {x.name, initializer(name, weight, data)}), std::move(shape));
}

Value Network::matmul_bias(const std::string& scope, const Value& x, const ProductSpec& spec) {
  const Value y = matmul(scope, x, spec);
  const std::string name = parameter_prefix(scope) + "bias";
  const Dims shape{y.shape.back()};
  const double deviation = spec.gain / std::sqrt(static_cast<double>(x.shape.back()));
  const std::string bias = initializer(name, shape, normal(name, element_count(shape), deviation));
  return result(node(scope, "Add", {bias, y.name}), y.shape);
}

Value Network::product(const std::string& scope, const Value& a, const Value& b) {
  Dims shape = a.shape;
  shape.back() = b.shape.back();
  return result(node(scope, "MatMul", {a.name, b.name}), std::move(shape));
}

Value Network::softmax(const std::string& scope, const Value& x) {
  onnx::NodeProto& n = node(scope, "Softmax", {x.name});
  set_int(n, "axis", -1);
  return result(n, x.shape);
}

Value Network::transpose(const std::string& scope, const Value& x,
                         const std::vector<std::size_t>& order) {
  onnx::NodeProto& n = node(scope, "Transpose", {x.name});
  onnx::AttributeProto& perm = attribute(n, "perm", onnx::AttributeProto::INTS);
  Dims shape;
  for (const std::size_t axis : order) {
    perm.add_ints(static_cast<std::int64_t>(axis));
    shape.push_back(x.shape[axis]);
  }
  return result(n, std::move(shape));
}

Value Network::reshape(const std::string& scope, const Value& x, const Dims& shape) {
  PET_CHECK(element_count(shape) == element_count(x.shape), "a reshape keeps the elements");
  const std::string sizes = initializer(scope + "/Reshape_shape", shape);
  return result(node(scope, "Reshape", {x.name, sizes}), shape);
}

void Network::output(const Value& x, const std::string& name) {
  onnx::GraphProto& graph = *model_.mutable_graph();
  for (onnx::NodeProto& n : *graph.mutable_node()) {
    for (const std::string& input : n.input())
      PET_CHECK(input != x.name, "an output is read by no node");
    if (n.output(0) == x.name) n.set_output(0, name);
  }
  declare(*graph.add_output(), name, x.shape);
}

std::string Network::bytes() const { return model_.SerializeAsString(); }

onnx::NodeProto& Network::node(const std::string& scope, const std::string& type,
                               const std::vector<std::string>& inputs) {
  onnx::NodeProto& n = *model_.mutable_graph()->add_node();
  const std::string name = scope + "/" + type;
  for (const std::string& input : inputs) n.add_input(input);
  n.add_output(name + "_output_0");
  n.set_name(name);
  n.set_op_type(type);
  return n;
}

Value Network::result(const onnx::NodeProto& node, Dims shape) const {
  return {node.output(0), std::move(shape)};
}

Value Network::conv_node(const std::string& scope, const Value& x, const ConvSpec& spec,
                         const std::vector<float>& weight, const std::vector<float>& bias) {
  const std::string prefix = parameter_prefix(scope);
  const std::size_t axes = spatial_axes(x);
  Dims shape{spec.filters, x.shape[1] / spec.groups};
  for (std::size_t i = 0; i < axes; ++i) shape.push_back(spec.kernel.at(i));
  std::vector<std::string> inputs{x.name, initializer(prefix + "weight", shape, weight)};
  if (!bias.empty()) inputs.push_back(initializer(prefix + "bias", {spec.filters}, bias));
  onnx::NodeProto& n = node(scope, "Conv", inputs);
  set_ints(n, "dilations", spec.dilation, axes);
  set_int(n, "group", spec.groups);
  set_ints(n, "kernel_shape", spec.kernel, axes);
  set_ints(n, "pads", spec.pad, axes, 2);
  set_ints(n, "strides", spec.stride, axes);
  return result(n,
                with_spatial(x.shape[0], spec.filters,
                             window_counts(x, spec.kernel, spec.stride, spec.pad, spec.dilation)));
}

// Each filter sums to zero, so that the positive mean which a ReLU leaves does not drown what
// differs from place to place and from image to image in a deep network.
std::vector<float> Network::conv_weight(const std::string& scope, const Value& x,
                                        const ConvSpec& spec) const {
  const std::int64_t fan_in = x.shape[1] / spec.groups * volume(spec.kernel, spatial_axes(x));
  const auto count = static_cast<std::size_t>(spec.filters * fan_in);
  std::vector<float> weight = normal(parameter_prefix(scope) + "weight", count,
                                     std::sqrt(kGain / static_cast<double>(fan_in)));
  for (auto filter = weight.begin(); filter != weight.end(); filter += fan_in) {
    const double sum = std::accumulate(filter, filter + fan_in, 0.0);
    const auto mean = static_cast<float>(sum / static_cast<double>(fan_in));
    std::for_each(filter, filter + fan_in, [mean](float& w) { w -= mean; });
  }
  return weight;
}

Network::Norm Network::norm_parameters(const std::string& scope, std::int64_t channels) const {
  const std::string prefix = parameter_prefix(scope);
  const auto count = static_cast<std::size_t>(channels);
  return {uniform(prefix + "weight", count, 0.8, 1.2), normal(prefix + "bias", count, 0.1),
          normal(prefix + "running_mean", count, 0.1),
          uniform(prefix + "running_var", count, 0.5, 1.5)};
}

std::vector<float> Network::normal(const std::string& name, std::size_t count,
                                   double deviation) const {
  Rng rng = stream_of(seed_, name);
  std::vector<float> data(count);
  for (float& x : data) x = static_cast<float>(deviation * rng.normal());
  return data;
}

std::vector<float> Network::uniform(const std::string& name, std::size_t count, double low,
                                    double high) const {
  Rng rng = stream_of(seed_, name);
  std::vector<float> data(count);
  for (float& x : data) x = static_cast<float>(low + (high - low) * rng.uniform());
  return data;
}

std::string Network::initializer(const std::string& name, const Dims& shape,
                                 const std::vector<float>& data) {
  PET_CHECK(data.size() == element_count(shape), "a weight has as many numbers as its shape says");
  new_initializer(name, shape, onnx::TensorProto::FLOAT)
      .set_raw_data(data.data(), data.size() * sizeof(float));
  return name;
}

std::string Network::initializer(const std::string& name, const Dims& integers) {
  const auto size = static_cast<std::int64_t>(integers.size());
  new_initializer(name, {size}, onnx::TensorProto::INT64)
      .set_raw_data(integers.data(), integers.size() * sizeof(std::int64_t));
  return name;
}

onnx::TensorProto& Network::new_initializer(const std::string& name, const Dims& shape,
                                            onnx::TensorProto::DataType type) {
  static_assert(std::endian::native == std::endian::little,
                "ONNX stores raw data in little endian");
  onnx::TensorProto& tensor = *model_.mutable_graph()->add_initializer();
  for (const std::int64_t extent : shape) tensor.add_dims(extent);
  tensor.set_data_type(type);
  tensor.set_name(name);
  return tensor;
}

}  // namespace pet::datasets
