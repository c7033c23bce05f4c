#include "datasets/models/program_layers.h"

namespace pet::datasets {

Tensor elementwise(ProgramGraph& graph, const std::string& traced, const std::string& type,
                   const std::vector<std::string>& inputs, const Tensor& like) {
  return graph.traced(traced, {type, inputs}, {onnx::TensorProto::FLOAT, like.shape});
}

Tensor view(ProgramGraph& graph, const Tensor& x, const Dims& sizes, const Shape& shape) {
  return graph.traced("view", {"Reshape", {x.name, graph.integers(sizes)}, {{"allowzero", 1}}},
                      {onnx::TensorProto::FLOAT, shape});
}

Tensor transpose(ProgramGraph& graph, const std::string& traced, const Tensor& x,
                 const Dims& order) {
  Shape shape;
  for (const std::int64_t axis : order) shape.push_back(x.shape[static_cast<std::size_t>(axis)]);
  return graph.traced(traced, {"Transpose", {x.name}, {{"perm", order}}},
                      {onnx::TensorProto::FLOAT, shape});
}

Tensor linear(ProgramGraph& graph, const Tensor& x, const LinearNames& names,
              const Features& features) {
  Shape shape = x.shape;
  shape.back() = features.outputs;
  const std::string weight =
      graph.folded(transposed(linear_weight(graph.weights(), names.weight, features)));
  const std::string bias =
      graph.parameter(linear_bias(graph.weights(), names.bias, features.outputs));
  const Tensor product =
      graph.inner({"MatMul", {x.name, weight}}, {onnx::TensorProto::FLOAT, shape});
  return elementwise(graph, "linear", "Add", {product.name, bias}, product);
}

Tensor linear(ProgramGraph& graph, const Tensor& x, const std::string& module,
              const Features& features) {
  return linear(graph, x, LinearNames{module + ".weight", module + ".bias"}, features);
}

Tensor gemm(ProgramGraph& graph, const Tensor& x, const std::string& module,
            const Features& features) {
  const std::string weight =
      graph.parameter(linear_weight(graph.weights(), module + ".weight", features));
  const std::string bias =
      graph.parameter(linear_bias(graph.weights(), module + ".bias", features.outputs));
  return graph.traced("linear",
                      {"Gemm",
                       {x.name, weight, bias},
                       {{"beta", 1.0F}, {"transB", 1}, {"alpha", 1.0F}, {"transA", 0}}},
                      {onnx::TensorProto::FLOAT, {x.shape[0], features.outputs}});
}

Tensor layer_norm(ProgramGraph& graph, const Tensor& x, const std::string& module,
                  std::int64_t width, float epsilon) {
  const std::string weight =
      graph.parameter(norm_weight(graph.weights(), module + ".weight", width));
  const std::string bias = graph.parameter(norm_bias(graph.weights(), module + ".bias", width));
  return graph.traced("layer_norm",
                      {"LayerNormalization",
                       {x.name, weight, bias},
                       {{"stash_type", 1}, {"epsilon", epsilon}, {"axis", -1}}},
                      {onnx::TensorProto::FLOAT, x.shape});
}

Tensor gelu(ProgramGraph& graph, const Tensor& x) {
  return graph.traced("gelu", {"Gelu", {x.name}, {{"approximate", "none"}}},
                      {onnx::TensorProto::FLOAT, x.shape});
}

Tensor select(ProgramGraph& graph, const Tensor& x, std::int64_t axis, std::int64_t index) {
  Shape shape = x.shape;
  shape.erase(shape.begin() + axis);
  return graph.traced("select", {"Gather", {x.name, graph.integer(index)}, {{"axis", axis}}},
                      {onnx::TensorProto::FLOAT, shape});
}

Tensor lookup(ProgramGraph& graph, const Parameter& table, const Tensor& ids) {
  Shape shape = ids.shape;
  shape.emplace_back(table.shape[1]);
  return graph.traced("embedding", {"Gather", {graph.parameter(table), ids.name}, {{"axis", 0}}},
                      {onnx::TensorProto::FLOAT, shape});
}

}  // namespace pet::datasets
