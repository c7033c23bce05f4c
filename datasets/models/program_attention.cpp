#include "datasets/models/program_attention.h"

#include <cmath>
#include <limits>

namespace pet::datasets {
namespace {

constexpr std::int64_t kFromStart = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kToEnd = std::numeric_limits<std::int64_t>::max();

// Queries and keys take half of the scale each.
float half_scale(const Heads& heads) {
  return static_cast<float>(std::pow(static_cast<double>(heads.features), -0.25));
}

// The last two axes change places, whatever the rank: over a tensor of rank three, by sizes that
// are looked up. The exporter does not know the shapes of that.
Tensor turned_keys(ProgramGraph& graph, const Tensor& keys) {
  const auto sizes = [](std::int64_t count) { return Declared{onnx::TensorProto::INT64, {count}}; };
  const auto unknown = [](std::size_t rank) {
    return Declared{onnx::TensorProto::FLOAT, Shape(rank)};
  };
  const Tensor shape = graph.inner({"Shape", {keys.name}, {{"start", 0}}}, sizes(4));
  const std::string last = graph.integers({-1});
  const std::string before_last = graph.integers({-2});
  const auto part = [&](const std::string& begin, const std::string& end, std::int64_t count) {
    return graph.inner({"Slice", {shape.name, begin, end}}, sizes(count)).name;
  };
  const std::string columns = part(last, graph.integers({kToEnd}), 1);
  const std::string rows = part(before_last, last, 1);
  const std::string outer = part(graph.integers({kFromStart}), before_last, 2);
  const Attribute zero{"allowzero", 0};
  const Tensor flat = graph.inner({"Concat", {last, rows, columns}, {{"axis", 0}}}, sizes(3));
  Tensor v = graph.inner({"Reshape", {keys.name, flat.name}, {zero}}, unknown(3));
  v = graph.inner({"Transpose", {v.name}, {{"perm", Dims{0, 2, 1}}}}, unknown(3));
  const Tensor back = graph.inner({"Concat", {outer, columns, rows}, {{"axis", 0}}}, sizes(4));
  return graph.inner({"Reshape", {v.name, back.name}, {zero}}, unknown(4));
}

Tensor scores(ProgramGraph& graph, const Heads& heads, const std::string& scale) {
  const Tensor keys = turned_keys(graph, heads.keys);
  const Tensor scaled = graph.inner({"Mul", {heads.queries.name, scale}},
                                    {onnx::TensorProto::FLOAT, heads.queries.shape});
  const Tensor scaled_keys =
      graph.inner({"Mul", {keys.name, scale}}, {onnx::TensorProto::FLOAT, Shape(4)});
  return graph.inner({"MatMul", {scaled.name, scaled_keys.name}},
                     {onnx::TensorProto::FLOAT, {Extent(), heads.heads, heads.rows, Extent()}});
}

Tensor inner_float(ProgramGraph& graph, const Operation& operation, const Shape& shape) {
  return graph.inner(operation, {onnx::TensorProto::FLOAT, shape});
}

Tensor mixed(ProgramGraph& graph, const Heads& heads, const Tensor& shares) {
  return elementwise(graph, "scaled_dot_product_attention", "MatMul",
                     {shares.name, heads.values.name}, heads.queries);
}

}  // namespace

Tensor attention(ProgramGraph& graph, const Heads& heads) {
  const Tensor product = scores(graph, heads, graph.one_number(half_scale(heads)));
  return mixed(graph, heads,
               inner_float(graph, {"Softmax", {product.name}, {{"axis", -1}}}, product.shape));
}

Tensor masked_attention(ProgramGraph& graph, const Heads& heads, const Tensor& mask) {
  const Shape shape{Extent(), heads.heads, heads.rows, heads.rows};
  const Tensor product = scores(graph, heads, graph.number(half_scale(heads)));
  const Tensor masked = inner_float(graph, {"Add", {product.name, mask.name}}, shape);
  const Tensor shares = inner_float(graph, {"Softmax", {masked.name}, {{"axis", -1}}}, shape);
  const Tensor lost = graph.inner({"IsNaN", {shares.name}}, {onnx::TensorProto::BOOL, shape});
  return mixed(graph, heads,
               inner_float(graph, {"Where", {lost.name, graph.number(0.0F), shares.name}}, shape));
}

}  // namespace pet::datasets
