#include "datasets/models/architectures.h"
#include "datasets/models/program_attention.h"
#include "datasets/models/transformer_sizes.h"

namespace pet::datasets {
namespace {

constexpr float kEpsilon = 1e-6F;

struct Sizes {
  TransformerSizes layers;
  ImageSizes image;
  std::int64_t rows() const { return image.patches() + 1; }  // and the class token
};

// [batch, patches, width]
Tensor patches(ProgramGraph& graph, const Tensor& image, const Sizes& sizes) {
  const std::int64_t width = sizes.layers.width;
  const std::int64_t patch = ImageSizes::kPatch;
  const std::int64_t side = sizes.image.image / patch;
  const std::string weight =
      graph.parameter(patch_weight(graph.weights(), "conv_proj.weight", width, patch));
  const std::string bias = graph.parameter(linear_bias(graph.weights(), "conv_proj.bias", width));
  const Tensor map = graph.traced("conv2d",
                                  {"Conv",
                                   {image.name, weight, bias},
                                   {{"group", 1},
                                    {"pads", Dims{0, 0, 0, 0}},
                                    {"auto_pad", "NOTSET"},
                                    {"strides", Dims{patch, patch}},
                                    {"dilations", Dims{1, 1}},
                                    {"kernel_shape", Dims{patch, patch}}}},
                                  {onnx::TensorProto::FLOAT, {graph.batch(), width, side, side}});
  const Tensor flat =
      view(graph, map, {-1, width, side * side}, {graph.batch(), width, side * side});
  return transpose(graph, "permute", flat, {0, 2, 1});
}

// One class token a picture in front of its patches, and the embedding of places.
Tensor embeddings(ProgramGraph& graph, const Tensor& image, const Sizes& sizes) {
  const std::int64_t width = sizes.layers.width;
  const Parameter token = embedding(graph.weights(), "class_token", {1, 1, width});
  const Parameter places =
      embedding(graph.weights(), "encoder.pos_embedding", {1, sizes.rows(), width});
  const Tensor batch = graph.inner({"Shape", {image.name}, {{"end", 1}, {"start", 0}}},
                                   {onnx::TensorProto::INT64, {1}});
  const Tensor rows = patches(graph, image, sizes);
  const std::string one = graph.integers({1});
  const Tensor shape = graph.inner({"Concat", {batch.name, one, one}, {{"axis", 0}}},
                                   {onnx::TensorProto::INT64, {3}});
  const Tensor tokens = graph.traced("expand", {"Expand", {graph.parameter(token), shape.name}},
                                     {onnx::TensorProto::FLOAT, {graph.batch(), 1, width}});
  const Tensor all = graph.traced("cat", {"Concat", {tokens.name, rows.name}, {{"axis", 1}}},
                                  {onnx::TensorProto::FLOAT, {graph.batch(), sizes.rows(), width}});
  return elementwise(graph, "add", "Add", {all.name, graph.parameter(places)}, all);
}

// Queries, keys and values of one product: [3, rows, batch, width].
Tensor three_parts(ProgramGraph& graph, const Tensor& x, const std::string& module,
                   const Sizes& sizes) {
  const std::int64_t width = sizes.layers.width;
  const LinearNames in{module + ".in_proj_weight", module + ".in_proj_bias"};
  const Tensor joined = linear(graph, x, in, {width, 3 * width});
  Tensor v =
      view(graph, joined, {sizes.rows(), -1, 3, width}, {sizes.rows(), graph.batch(), 3, width});
  v = graph.traced("unsqueeze", {"Unsqueeze", {v.name, graph.integers({0})}},
                   {onnx::TensorProto::FLOAT, {1, sizes.rows(), graph.batch(), 3, width}});
  v = transpose(graph, "transpose", v, {3, 1, 2, 0, 4});
  return graph.traced("squeeze", {"Squeeze", {v.name, graph.integers({-2})}},
                      {onnx::TensorProto::FLOAT, {3, sizes.rows(), graph.batch(), width}});
}

// nn.MultiheadAttention: rows first, heads beside images in the middle axis, then an axis of their
// own.
Heads heads_of(ProgramGraph& graph, const Tensor& parts, const Sizes& sizes) {
  const TransformerSizes& layers = sizes.layers;
  std::vector<Tensor> each;
  for (std::int64_t part = 0; part < 3; ++part) each.push_back(select(graph, parts, 0, part));
  for (Tensor& v : each) {
    v = view(graph, v, {sizes.rows(), -1, layers.head()},
             {sizes.rows(), graph.batch().times(layers.heads), layers.head()});
    v = transpose(graph, "transpose", v, {1, 0, 2});
  }
  for (Tensor& v : each) {
    v = view(graph, v, {-1, layers.heads, sizes.rows(), layers.head()},
             {graph.batch(), layers.heads, sizes.rows(), layers.head()});
  }
  return {each[0], each[1], each[2], layers.heads, sizes.rows(), layers.head()};
}

Tensor self_attention(ProgramGraph& graph, const Tensor& x, const std::string& module,
                      const Sizes& sizes) {
  const std::int64_t width = sizes.layers.width;
  const std::int64_t rows = sizes.rows();
  const Tensor turned = transpose(graph, "transpose", x, {1, 0, 2});
  const Tensor parts = three_parts(graph, turned, module, sizes);
  const Tensor mixed =
      transpose(graph, "permute", attention(graph, heads_of(graph, parts, sizes)), {2, 0, 1, 3});
  Tensor v = view(graph, mixed, {-1, width}, {graph.batch().times(rows), width});
  v = gemm(graph, v, module + ".out_proj", {width, width});
  v = view(graph, v, {rows, -1, width}, turned.shape);
  return transpose(graph, "transpose", v, {1, 0, 2});
}

Tensor encoder_layer(ProgramGraph& graph, const Tensor& x, const std::string& module,
                     const Sizes& sizes) {
  const auto [layers, width, heads, hidden] = sizes.layers;
  Tensor v = layer_norm(graph, x, module + ".ln_1", width, kEpsilon);
  v = self_attention(graph, v, module + ".self_attention", sizes);
  const Tensor attended = elementwise(graph, "add", "Add", {v.name, x.name}, x);
  v = layer_norm(graph, attended, module + ".ln_2", width, kEpsilon);
  v = linear(graph, v, module + ".mlp.0", Features{width, hidden});
  v = linear(graph, gelu(graph, v), module + ".mlp.3", Features{hidden, width});
  return elementwise(graph, "add", "Add", {attended.name, v.name}, x);
}

}  // namespace

std::string vit_b16(const ModelRequest& request) {
  const Sizes sizes{transformer_sizes(request.tiny), vit_image(request.tiny)};
  ProgramGraph graph(request);
  const Tensor image = graph.input("input", onnx::TensorProto::FLOAT,
                                   {graph.batch(), 3, sizes.image.image, sizes.image.image});
  Tensor v = embeddings(graph, image, sizes);
  for (std::int64_t layer = 0; layer < sizes.layers.layers; ++layer)
    v = encoder_layer(graph, v, "encoder.layers.encoder_layer_" + std::to_string(layer), sizes);
  v = layer_norm(graph, v, "encoder.ln", sizes.layers.width, kEpsilon);
  v = gemm(graph, select(graph, v, 1, 0), "heads.head", {sizes.layers.width, sizes.image.classes});
  graph.output(v, "output");
  return graph.bytes();
}

}  // namespace pet::datasets
