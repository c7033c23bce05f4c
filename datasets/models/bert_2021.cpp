#include <cmath>

#include "datasets/models/architectures.h"
#include "datasets/models/request.h"
#include "datasets/models/script_layers.h"
#include "datasets/models/transformer_sizes.h"

namespace pet::datasets {
namespace {

constexpr std::int64_t kOpset = 11;
constexpr float kEpsilon = 1e-12F;

// What is not to be looked at loses ten thousand before the softmax.
std::string additive_mask(ScriptGraph& graph, const std::string& mask) {
  const std::string spread = unsqueeze(graph, unsqueeze(graph, mask, 1), 2);
  const std::string number = graph.op("Cast", {spread}, {{"to", onnx::TensorProto::FLOAT}});
  const std::string one = graph.constant(1.0F);
  const std::string hidden = graph.op("Sub", {one, number});
  const std::string far = graph.constant(-10000.0F);
  return graph.op("Mul", {hidden, far});
}

std::string position_ids(ScriptGraph& graph, const std::string& ids, std::int64_t positions) {
  Dims counted;
  for (std::int64_t i = 0; i < positions; ++i) counted.push_back(i);
  const std::string length = size_of(graph, ids, 1);
  const std::string begin = graph.list({0});
  const std::string end = unsqueeze(graph, length, 0);
  const std::string axes = graph.list({1});
  const std::string steps = graph.list({1});
  const std::string all =
      graph.buffer("embeddings.position_ids", tensor_of({1, positions}, counted));
  return graph.op("Slice", {all, begin, end, axes, steps});
}

std::string lookup(ScriptGraph& graph, const std::string& table, const std::string& ids,
                   const Dims& shape) {
  return graph.op("Gather", {graph.parameter(embedding(graph.weights(), table, shape)), ids});
}

struct Tokens {
  std::string ids, mask, types;
};

std::string embeddings(ScriptGraph& graph, const Tokens& tokens, const TextSizes& text,
                       std::int64_t width) {
  const std::string positions = position_ids(graph, tokens.ids, text.positions);
  const std::string words =
      lookup(graph, "embeddings.word_embeddings.weight", tokens.ids, {text.vocabulary, width});
  const std::string types =
      lookup(graph, "embeddings.token_type_embeddings.weight", tokens.types, {2, width});
  const std::string sum = graph.op("Add", {words, types});
  const std::string places =
      lookup(graph, "embeddings.position_embeddings.weight", positions, {text.positions, width});
  return layer_norm(graph, graph.op("Add", {sum, places}), "embeddings.LayerNorm", width, kEpsilon);
}

std::string by_head(ScriptGraph& graph, const std::string& x, const TransformerSizes& sizes) {
  return view(graph, x, row_sizes(graph, x), {sizes.heads, sizes.head()});
}

std::string attention(ScriptGraph& graph, const std::string& x, const std::string& mask,
                      const std::string& module, const TransformerSizes& sizes) {
  const Features square{sizes.width, sizes.width};
  const Dims rows{0, 2, 1, 3};
  const std::string query = linear(graph, x, module + ".query", square);
  const std::string keys = by_head(graph, linear(graph, x, module + ".key", square), sizes);
  const std::string value = by_head(graph, linear(graph, x, module + ".value", square), sizes);
  const std::string values = graph.op("Transpose", {value}, {{"perm", rows}});
  const std::string queries =
      graph.op("Transpose", {by_head(graph, query, sizes)}, {{"perm", rows}});
  const std::string columns = graph.op("Transpose", {keys}, {{"perm", Dims{0, 2, 3, 1}}});
  const std::string product = graph.op("MatMul", {queries, columns});
  const std::string root = graph.constant(std::sqrt(static_cast<float>(sizes.head())));
  const std::string scaled = graph.op("Div", {product, root});
  const std::string scores = graph.op("Softmax", {graph.op("Add", {scaled, mask})}, {{"axis", 3}});
  const std::string mixed =
      graph.op("Transpose", {graph.op("MatMul", {scores, values})}, {{"perm", rows}});
  return view(graph, mixed, row_sizes(graph, mixed), {sizes.width});
}

std::string encoder_layer(ScriptGraph& graph, const std::string& x, const std::string& mask,
                          const std::string& module, const TransformerSizes& sizes) {
  const std::string mixed = attention(graph, x, mask, module + ".attention.self", sizes);
  std::string v =
      linear(graph, mixed, module + ".attention.output.dense", {sizes.width, sizes.width});
  const std::string attended =
      layer_norm(graph, graph.op("Add", {v, x}), module + ".attention.output.LayerNorm",
                 sizes.width, kEpsilon);
  v = linear(graph, attended, module + ".intermediate.dense", {sizes.width, sizes.hidden});
  v = linear(graph, gelu_by_erf(graph, v), module + ".output.dense", {sizes.hidden, sizes.width});
  return layer_norm(graph, graph.op("Add", {v, attended}), module + ".output.LayerNorm",
                    sizes.width, kEpsilon);
}

}  // namespace

std::string bert_base_2021(const ModelRequest& request) {
  const TransformerSizes sizes = transformer_sizes(request.tiny);
  ScriptGraph graph(request, kOpset);
  const Extent batch = open_batch(request);
  const Extent sequence(std::string("sequence"));
  const auto ids = [&](const char* name) {
    return graph.input(name, onnx::TensorProto::INT64, {batch, sequence});
  };
  const std::string words = ids("input_ids");
  const std::string mask = ids("attention_mask");
  const Tokens tokens{words, mask, ids("token_type_ids")};
  const std::string first = graph.constant(std::int64_t{0});
  const std::string added = additive_mask(graph, tokens.mask);
  std::string v = embeddings(graph, tokens, bert_text(request.tiny), sizes.width);
  for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
    v = encoder_layer(graph, v, added, "encoder.layer." + std::to_string(layer), sizes);
  const std::string pooled = gemm(graph, graph.op("Gather", {v, first}, {{"axis", 1}}),
                                  "pooler.dense", {sizes.width, sizes.width});
  const std::string answer = graph.op("Tanh", {pooled});
  graph.output(v, "last_hidden_state", {batch, sequence, sizes.width});
  graph.output(answer, "pooler_output", {batch, sizes.width});
  return graph.bytes();
}

}  // namespace pet::datasets
