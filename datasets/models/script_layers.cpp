#include "datasets/models/script_layers.h"

#include <limits>

#include "datasets/models/gelu_constants.h"

namespace pet::datasets {

std::string unsqueeze(ScriptGraph& graph, const std::string& x, std::int64_t axis) {
  if (graph.opset() < 13) return graph.op("Unsqueeze", {x}, {{"axes", Dims{axis}}});
  const std::string axes = graph.list({axis});
  return graph.op("Unsqueeze", {x, axes});
}

// Since operator set 14 it is said that a zero keeps an extent.
std::string reshape(ScriptGraph& graph, const std::string& x, const std::string& shape) {
  if (graph.opset() < 14) return graph.op("Reshape", {x, shape});
  return graph.op("Reshape", {x, shape}, {{"allowzero", 0}});
}

std::string size_of(ScriptGraph& graph, const std::string& x, std::int64_t axis) {
  const std::string shape = graph.op("Shape", {x});
  const std::string index = graph.constant(axis);
  return graph.op("Gather", {shape, index}, {{"axis", 0}});
}

std::string size_from_end(ScriptGraph& graph, const std::string& x, std::int64_t axis) {
  const std::string shape = graph.op("Shape", {x});
  const std::string axes = graph.list({0});
  const std::string begin = graph.list({axis});
  const std::string end =
      graph.list({axis == -1 ? std::numeric_limits<std::int64_t>::max() : axis + 1});
  const std::string slice = graph.op("Slice", {shape, begin, end, axes});
  const std::string squeezed = graph.list({0});
  return graph.op("Squeeze", {slice, squeezed});
}

RowSizes row_sizes(ScriptGraph& graph, const std::string& x) {
  std::string first = size_of(graph, x, 0);
  return {std::move(first), size_of(graph, x, 1)};
}

std::string view(ScriptGraph& graph, const std::string& x, const RowSizes& sizes,
                 const Dims& trailing) {
  std::vector<std::string> parts;
  parts.push_back(unsqueeze(graph, sizes.first, 0));
  parts.push_back(unsqueeze(graph, sizes.second, 0));
  for (const std::int64_t extent : trailing) parts.push_back(graph.list({extent}));
  const std::string shape = graph.op("Concat", parts, {{"axis", 0}});
  return reshape(graph, x, shape);
}

std::string linear(ScriptGraph& graph, const std::string& x, const LinearNames& names,
                   const Features& features) {
  const std::string weight =
      graph.folded(transposed(linear_weight(graph.weights(), names.weight, features)));
  const std::string product = graph.op("MatMul", {x, weight});
  return graph.op(
      "Add",
      {graph.parameter(linear_bias(graph.weights(), names.bias, features.outputs)), product});
}

std::string linear(ScriptGraph& graph, const std::string& x, const std::string& module,
                   const Features& features) {
  return linear(graph, x, LinearNames{module + ".weight", module + ".bias"}, features);
}

std::string gemm(ScriptGraph& graph, const std::string& x, const std::string& module,
                 const Features& features) {
  return graph.op(
      "Gemm",
      {x, graph.parameter(linear_weight(graph.weights(), module + ".weight", features)),
       graph.parameter(linear_bias(graph.weights(), module + ".bias", features.outputs))},
      {{"alpha", 1.0F}, {"beta", 1.0F}, {"transB", 1}});
}

std::string layer_norm(ScriptGraph& graph, const std::string& x, const std::string& module,
                       std::int64_t width, float epsilon) {
  const std::vector<Attribute> last_axis{{"axes", Dims{-1}}};
  const std::string mean = graph.op("ReduceMean", {x}, last_axis);
  const std::string centred = graph.op("Sub", {x, mean});
  const std::string two = graph.constant(2.0F);
  const std::string square = graph.op("Pow", {centred, two});
  const std::string variance = graph.op("ReduceMean", {square}, last_axis);
  const std::string small = graph.constant(epsilon);
  const std::string positive = graph.op("Add", {variance, small});
  const std::string deviation = graph.op("Sqrt", {positive});
  const std::string normal = graph.op("Div", {centred, deviation});
  const std::string scaled = graph.op(
      "Mul", {normal, graph.parameter(norm_weight(graph.weights(), module + ".weight", width))});
  return graph.op("Add",
                  {scaled, graph.parameter(norm_bias(graph.weights(), module + ".bias", width))});
}

std::string gelu_by_erf(ScriptGraph& graph, const std::string& x) {
  const std::string root = graph.constant(kRootOfTwo);
  const std::string scaled = graph.op("Div", {x, root});
  const std::string erf = graph.op("Erf", {scaled});
  const std::string one = graph.constant(1.0F);
  const std::string sum = graph.op("Add", {erf, one});
  const std::string product = graph.op("Mul", {x, sum});
  const std::string half = graph.constant(0.5F);
  return graph.op("Mul", {product, half});
}

std::string gelu_by_tanh(ScriptGraph& graph, const std::string& x) {
  const std::string half = graph.constant(0.5F);
  const std::string halved = graph.op("Mul", {x, half});
  const std::string three = graph.constant(3.0F);
  const std::string cube = graph.op("Pow", {x, three});
  const std::string share = graph.constant(kCubeShare);
  const std::string part = graph.op("Mul", {cube, share});
  const std::string inner = graph.op("Add", {x, part});
  const std::string root = graph.constant(kRootOfTwoByPi);
  const std::string scaled = graph.op("Mul", {inner, root});
  const std::string tanh = graph.op("Tanh", {scaled});
  const std::string one = graph.constant(1.0F);
  const std::string sum = graph.op("Add", {tanh, one});
  return graph.op("Mul", {halved, sum});
}

}  // namespace pet::datasets
