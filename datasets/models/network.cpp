#include "datasets/models/network.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/util/check.h"
#include "datasets/models/request.h"

namespace pet::datasets {
namespace {

constexpr FileVersion kVersion{.opset = 17, .ir = 8};
constexpr float kEpsilon = 1e-5F;

// Times the reciprocal of a filter's size: the variance of its numbers. 2 keeps the second moment
// behind a ReLU (Kaiming), 2 / (1 - 1/pi) its variance; between them neither the sums of ResNet
// grow nor the features of DenseNet fade.
constexpr double kGain = 2.4;

struct Windows {
  PerAxis kernel, stride, pad, dilation;
  bool same;
};

Windows windows_of(const ConvSpec& spec) {
  return {spec.kernel, spec.stride, spec.pad, spec.dilation, spec.same};
}

Windows windows_of(const PoolSpec& spec) {
  return {spec.kernel, spec.stride, spec.pad, 1, spec.same};
}

// What windows find when they slide over the spatial axes of x: zeros in front and behind, and how
// many there are.
struct Slid {
  Dims in_front, behind, counts;
};

Slid slid_over(const Value& x, const Windows& windows) {
  Slid out;
  for (std::size_t i = 0; i + 2 < x.shape.size(); ++i) {
    const std::int64_t extent = x.shape[i + 2];
    const std::int64_t stride = windows.stride.at(i);
    const std::int64_t reach = windows.dilation.at(i) * (windows.kernel.at(i) - 1) + 1;
    const std::int64_t missing =
        std::max<std::int64_t>((extent - 1) / stride * stride + reach - extent, 0);
    const std::int64_t zeros = windows.same ? missing : 2 * windows.pad.at(i);
    out.in_front.push_back(zeros / 2);
    out.behind.push_back(zeros - zeros / 2);
    out.counts.push_back((extent + zeros - reach) / stride + 1);
  }
  return out;
}

Dims pads_of(const Slid& slid) {
  Dims out = slid.in_front;
  out.insert(out.end(), slid.behind.begin(), slid.behind.end());
  return out;
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

// The values of all spatial axes.
Dims each_axis(const PerAxis& values, std::size_t axes) {
  Dims all;
  for (std::size_t i = 0; i < axes; ++i) all.push_back(values.at(i));
  return all;
}

std::size_t spatial_axes(const Value& x) { return x.shape.size() - 2; }

// The attributes of a pool of x; the shape of its result.
Dims set_window(onnx::NodeProto& node, const Value& x, const PoolSpec& spec) {
  const std::size_t axes = spatial_axes(x);
  const Slid slid = slid_over(x, windows_of(spec));
  set(node, {"kernel_shape", each_axis(spec.kernel, axes)});
  set(node, {"pads", pads_of(slid)});
  set(node, {"strides", each_axis(spec.stride, axes)});
  return with_spatial(x.shape[0], x.shape[1], slid.counts);
}

}  // namespace

Network::Network(const ModelRequest& request)
    : writer_(doc_of(request), kVersion),
      weights_(request.seed),
      fold_batchnorm_(request.fold_batchnorm) {}

Value Network::input(const std::string& name, const Dims& shape) {
  writer_.input(name, onnx::TensorProto::FLOAT, Shape(shape.begin(), shape.end()));
  return {name, shape};
}

Value Network::conv(const std::string& scope, const Value& x, const ConvSpec& spec) {
  return conv_node(scope, x, spec, conv_weight(scope, x, spec), {});
}

Value Network::conv_relu(const std::string& scope, const Value& x, const ConvSpec& spec) {
  return relu(scope, conv(scope, x, spec));
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
  set(n, {"epsilon", kEpsilon});
  set(n, {"momentum", 0.9F});
  set(n, {"training_mode", 0});
  return result(n, x.shape);
}

Value Network::elementwise(const std::string& scope, const std::string& type,
                           const std::vector<Value>& operands) {
  std::vector<std::string> names;
  for (const Value& operand : operands) {
    PET_CHECK(operand.shape == operands[0].shape, "operands of one shape");
    names.push_back(operand.name);
  }
  return result(node(scope, type, names), operands[0].shape);
}

Value Network::relu(const std::string& scope, const Value& x) {
  return elementwise(scope, "Relu", {x});
}

Value Network::sigmoid(const std::string& scope, const Value& x) {
  return elementwise(scope, "Sigmoid", {x});
}

Value Network::tanh(const std::string& scope, const Value& x) {
  return elementwise(scope, "Tanh", {x});
}

Value Network::dropout(const std::string& scope, const Value& x) {
  return elementwise(scope, "Dropout", {x});
}

Value Network::max_pool(const std::string& scope, const Value& x, const PoolSpec& spec) {
  onnx::NodeProto& n = node(scope, "MaxPool", {x.name});
  set(n, {"ceil_mode", 0});
  set(n, {"dilations", each_axis(1, spatial_axes(x))});
  return result(n, set_window(n, x, spec));
}

Value Network::average_pool(const std::string& scope, const Value& x, const PoolSpec& spec) {
  onnx::NodeProto& n = node(scope, "AveragePool", {x.name});
  set(n, {"ceil_mode", 0});
  set(n, {"count_include_pad", 1});
  return result(n, set_window(n, x, spec));
}

Value Network::global_average_pool(const std::string& scope, const Value& x) {
  return result(node(scope, "GlobalAveragePool", {x.name}),
                with_spatial(x.shape[0], x.shape[1], Dims(spatial_axes(x), 1)));
}

Value Network::concat(const std::string& scope, const std::vector<Value>& parts, std::size_t axis) {
  PET_CHECK(!parts.empty(), "concat needs a part");
  Dims shape = parts.front().shape;
  shape[axis] = 0;
  std::vector<std::string> names;
  for (const Value& part : parts) {
    shape[axis] += part.shape[axis];
    names.push_back(part.name);
  }
  onnx::NodeProto& n = node(scope, "Concat", names);
  set(n, {"axis", static_cast<std::int64_t>(axis)});
  return result(n, std::move(shape));
}

Value Network::first_row(const std::string& scope, const Value& x) {
  const std::string prefix = scope + "/Slice_";
  return result(node(scope, "Slice",
                     {x.name, initializer(prefix + "starts", {0}),
                      initializer(prefix + "ends", {1}), initializer(prefix + "axes", {0})}),
                {1, x.shape[1]});
}

Value Network::add(const std::string& scope, const Value& a, const Value& b) {
  return elementwise(scope, "Add", {a, b});
}

Value Network::multiply(const std::string& scope, const Value& a, const Value& b) {
  return elementwise(scope, "Mul", {a, b});
}

Value Network::flatten(const std::string& scope, const Value& x) {
  onnx::NodeProto& n = node(scope, "Flatten", {x.name});
  set(n, {"axis", 1});
  const auto elements = static_cast<std::int64_t>(element_count(x.shape));
  return result(n, {x.shape[0], elements / x.shape[0]});
}

Value Network::linear(const std::string& scope, const Value& x, std::int64_t outputs) {
  const std::string prefix = parameter_prefix(scope);
  const Dims shape{outputs, x.shape[1]};
  const double deviation = 1.0 / std::sqrt(static_cast<double>(x.shape[1]));
  const auto biases = static_cast<std::size_t>(outputs);
  const std::vector<float> weight =
      weights_.normal(prefix + "weight", element_count(shape), deviation);
  const std::vector<float> bias = weights_.normal(prefix + "bias", biases, deviation);
  onnx::NodeProto& n = node(scope, "Gemm",
                            {x.name, initializer(prefix + "weight", shape, weight),
                             initializer(prefix + "bias", {outputs}, bias)});
  set(n, {"alpha", 1.0F});
  set(n, {"beta", 1.0F});
  set(n, {"transB", 1});
  return result(n, {x.shape[0], outputs});
}

Value Network::matmul(const std::string& scope, const Value& x, const ProductSpec& spec) {
  const Dims& weight = spec.weight;
  PET_CHECK(weight.size() == 2 || weight.size() == x.shape.size(),
            "matmul takes a matrix or a weight of the rank of its input");
  const std::string name = parameter_prefix(scope) + "weight";
  const double deviation = spec.gain / std::sqrt(static_cast<double>(x.shape.back()));
  const std::vector<float> data = weights_.normal(name, element_count(weight), deviation);
  Dims shape = x.shape;
  shape.back() = weight.back();
  return result(node(scope, "MatMul", {x.name, initializer(name, weight, data)}), std::move(shape));
}

Value Network::matmul_transposed(const std::string& scope, const Value& x, std::int64_t outputs) {
  const Dims stored{outputs, x.shape.back()};
  const double deviation = 1.0 / std::sqrt(static_cast<double>(x.shape.back()));
  return product(scope, x, transpose(scope, parameter(scope, stored, deviation), {1, 0}));
}

Value Network::parameter(const std::string& scope, const Dims& shape, double deviation) {
  const std::string name = parameter_prefix(scope) + "weight";
  return {initializer(name, shape, weights_.normal(name, element_count(shape), deviation)), shape};
}

Value Network::matmul_bias(const std::string& scope, const Value& x, const ProductSpec& spec) {
  const Value y = matmul(scope, x, spec);
  const std::string name = parameter_prefix(scope) + "bias";
  const Dims shape{y.shape.back()};
  const double deviation = spec.gain / std::sqrt(static_cast<double>(x.shape.back()));
  const std::string bias =
      initializer(name, shape, weights_.normal(name, element_count(shape), deviation));
  return result(node(scope, "Add", {bias, y.name}), y.shape);
}

Value Network::product(const std::string& scope, const Value& a, const Value& b) {
  Dims shape = a.shape;
  shape.back() = b.shape.back();
  return result(node(scope, "MatMul", {a.name, b.name}), std::move(shape));
}

Value Network::softmax(const std::string& scope, const Value& x) {
  onnx::NodeProto& n = node(scope, "Softmax", {x.name});
  set(n, {"axis", -1});
  return result(n, x.shape);
}

Value Network::transpose(const std::string& scope, const Value& x,
                         const std::vector<std::size_t>& order) {
  onnx::NodeProto& n = node(scope, "Transpose", {x.name});
  set(n, {"perm", Dims(order.begin(), order.end())});
  Dims shape;
  for (const std::size_t axis : order) shape.push_back(x.shape[axis]);
  return result(n, std::move(shape));
}

Value Network::reshape(const std::string& scope, const Value& x, const Dims& shape) {
  PET_CHECK(element_count(shape) == element_count(x.shape), "a reshape keeps the elements");
  const std::string sizes = initializer(scope + "/Reshape_shape", shape);
  return result(node(scope, "Reshape", {x.name, sizes}), shape);
}

void Network::output(const Value& x, const std::string& name) {
  writer_.rename(x.name, name);
  writer_.output(name, onnx::TensorProto::FLOAT, Shape(x.shape.begin(), x.shape.end()));
}

std::string Network::bytes() const { return writer_.bytes(); }

onnx::NodeProto& Network::node(const std::string& scope, const std::string& type,
                               const std::vector<std::string>& inputs) {
  const std::string name = scope + "/" + type;
  return writer_.node(name, type, inputs, {name + "_output_0"});
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
  set(n, {"dilations", each_axis(spec.dilation, axes)});
  set(n, {"group", spec.groups});
  set(n, {"kernel_shape", each_axis(spec.kernel, axes)});
  const Slid slid = slid_over(x, windows_of(spec));
  set(n, {"pads", pads_of(slid)});
  set(n, {"strides", each_axis(spec.stride, axes)});
  return result(n, with_spatial(x.shape[0], spec.filters, slid.counts));
}

// Each filter sums to zero, so that the positive mean which a ReLU leaves does not drown what
// differs from place to place and from image to image in a deep network.
std::vector<float> Network::conv_weight(const std::string& scope, const Value& x,
                                        const ConvSpec& spec) const {
  const std::int64_t fan_in = x.shape[1] / spec.groups * volume(spec.kernel, spatial_axes(x));
  const auto count = static_cast<std::size_t>(spec.filters * fan_in);
  std::vector<float> weight = weights_.normal(parameter_prefix(scope) + "weight", count,
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
  return {weights_.uniform(prefix + "weight", count, 0.8, 1.2),
          weights_.normal(prefix + "bias", count, 0.1),
          weights_.normal(prefix + "running_mean", count, 0.1),
          weights_.uniform(prefix + "running_var", count, 0.5, 1.5)};
}

std::string Network::initializer(const std::string& name, const Dims& shape,
                                 const std::vector<float>& data) {
  writer_.initializer(name, tensor_of(shape, data));
  return name;
}

std::string Network::initializer(const std::string& name, const Dims& integers) {
  writer_.initializer(name, tensor_of({static_cast<std::int64_t>(integers.size())}, integers));
  return name;
}

}  // namespace pet::datasets
