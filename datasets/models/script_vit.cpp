#include "datasets/models/script_vit.h"

#include "datasets/models/request.h"

namespace pet::datasets {
namespace {

constexpr float kEpsilon = 1e-6F;

// [batch, patches, width]
std::string patches(ScriptGraph& graph, const std::string& image, std::int64_t width) {
  const std::int64_t patch = ImageSizes::kPatch;
  const std::string count = size_of(graph, image, 0);
  const std::string height = size_of(graph, image, 2);
  const std::string breadth = size_of(graph, image, 3);
  const std::string down = floor_divided(graph, height, patch);
  const std::string across = floor_divided(graph, breadth, patch);
  const std::string map = graph.op(
      "Conv",
      {image, graph.parameter(patch_weight(graph.weights(), "conv_proj.weight", width, patch)),
       graph.parameter(linear_bias(graph.weights(), "conv_proj.bias", width))},
      {{"dilations", Dims{1, 1}},
       {"group", 1},
       {"kernel_shape", Dims{patch, patch}},
       {"pads", Dims{0, 0, 0, 0}},
       {"strides", Dims{patch, patch}}});
  const std::string product = graph.op("Mul", {down, across});
  const std::string batch = unsqueeze(graph, count, 0);
  const std::string channels = graph.list({width});
  const std::string places = unsqueeze(graph, product, 0);
  const std::string shape = graph.op("Concat", {batch, channels, places}, {{"axis", 0}});
  return graph.op("Transpose", {reshape(graph, map, shape)}, {{"perm", Dims{0, 2, 1}}});
}

// token.expand(batch, -1, -1): where an extent is -1, one is asked for, which keeps the token's
// own.
std::string class_tokens(ScriptGraph& graph, const std::string& rows, std::int64_t width) {
  const std::string batch = unsqueeze(graph, size_of(graph, rows, 0), 0);
  const std::string keep = graph.list({-1});
  const std::string keep_too = graph.list({-1});
  const std::string joined = graph.op("Concat", {batch, keep, keep_too}, {{"axis", 0}});
  const std::string flat = graph.list({-1});
  const std::string asked = reshape(graph, joined, flat);
  const std::string rank = graph.op("Shape", {asked});
  const std::string ones =
      graph.op("ConstantOfShape", {rank}, {{"value", tensor_of({1}, Dims{1})}});
  const std::string minus = graph.constant(std::int64_t{-1});
  const std::string kept = graph.op("Equal", {asked, graph.op("Mul", {ones, minus})});
  const std::string extents = graph.op("Where", {kept, ones, asked});
  const Parameter token = embedding(graph.weights(), "class_token", {1, 1, width});
  return graph.op("Expand", {graph.parameter(token), extents});
}

std::string encoder_layer(ScriptGraph& graph, const std::string& x, const std::string& module,
                          const VitParts& vit, const ScriptAttention& attention) {
  const TransformerSizes& sizes = vit.layers;
  std::string v = layer_norm(graph, x, module + ".ln_1", sizes.width, kEpsilon);
  v = attention(graph, v, module + ".self_attention", vit);
  const std::string attended = graph.op("Add", {v, x});
  v = layer_norm(graph, attended, module + ".ln_2", sizes.width, kEpsilon);
  v = linear(graph, v, module + ".mlp.0", {sizes.width, sizes.hidden});
  v = linear(graph, gelu_by_erf(graph, v), module + ".mlp.3", {sizes.hidden, sizes.width});
  return graph.op("Add", {attended, v});
}

}  // namespace

std::string floor_divided(ScriptGraph& graph, const std::string& a, std::int64_t b) {
  const std::string divisor = graph.constant(b);
  const std::string quotient = graph.op("Div", {a, divisor});
  const Attribute to{"to", onnx::TensorProto::INT64};
  return graph.op("Cast", {graph.op("Cast", {quotient}, {to})}, {to});
}

std::string shape_of(ScriptGraph& graph, const std::vector<std::string>& sizes) {
  std::vector<std::string> parts;
  for (const std::string& size : sizes) parts.push_back(unsqueeze(graph, size, 0));
  return graph.op("Concat", parts, {{"axis", 0}});
}

std::string script_vit(const ModelRequest& request, std::int64_t opset,
                       const ScriptAttention& attention) {
  const TransformerSizes sizes = transformer_sizes(request.tiny);
  const ImageSizes size = vit_image(request.tiny);
  ScriptGraph graph(request, opset);
  const Extent batch = open_batch(request);
  const std::string image =
      graph.input("input", onnx::TensorProto::FLOAT, {batch, 3, size.image, size.image});
  const std::string first = graph.constant(std::int64_t{0});
  const VitParts vit{sizes, size.patches() + 1, first};
  const std::string rows = patches(graph, image, sizes.width);
  const std::string tokens = class_tokens(graph, rows, sizes.width);
  const std::string all = graph.op("Concat", {tokens, rows}, {{"axis", 1}});
  const Parameter places =
      embedding(graph.weights(), "encoder.pos_embedding", {1, vit.rows, sizes.width});
  std::string v = graph.op("Add", {all, graph.parameter(places)});
  for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
    v = encoder_layer(graph, v, "encoder.layers.encoder_layer_" + std::to_string(layer), vit,
                      attention);
  v = layer_norm(graph, v, "encoder.ln", sizes.width, kEpsilon);
  v = graph.op("Gather", {v, first}, {{"axis", 1}});
  graph.output(gemm(graph, v, "heads.head", {sizes.width, size.classes}), "output",
               {batch, size.classes});
  return graph.bytes();
}

}  // namespace pet::datasets
