#include "datasets/models/architectures.h"
#include "datasets/models/program_attention.h"
#include "datasets/models/program_masks.h"
#include "datasets/models/transformer_sizes.h"

namespace pet::datasets {
namespace {

constexpr float kEpsilon = 1e-12F;

struct Sizes {
  TransformerSizes layers;
  TextSizes text;
};

Tensor embeddings(ProgramGraph& graph, const Tensor& ids, const Tensor& types, const Sizes& sizes) {
  const std::int64_t width = sizes.layers.width;
  const auto table = [&](const char* name, std::int64_t rows) {
    return embedding(graph.weights(), std::string("embeddings.") + name + "_embeddings.weight",
                     {rows, width});
  };
  const std::int64_t tokens = sizes.text.tokens;
  const Tensor places = graph.constant("slice", tensor_of({1, tokens}, counted(tokens)));
  const Tensor words = lookup(graph, table("word", sizes.text.vocabulary), ids);
  const Tensor kinds = lookup(graph, table("token_type", 2), types);
  const Tensor sum = elementwise(graph, "add", "Add", {words.name, kinds.name}, words);
  const Tensor placed = lookup(graph, table("position", sizes.text.positions), places);
  const Tensor all = elementwise(graph, "add", "Add", {sum.name, placed.name}, sum);
  return layer_norm(graph, all, "embeddings.LayerNorm", width, kEpsilon);
}

// Every query looks at the keys that the caller's mask leaves.
Tensor mask_of(ProgramGraph& graph, const Tensor& mask, const BatchSize& batch,
               std::int64_t tokens) {
  const Tensor wanted =
      graph.traced("_to_copy", {"Cast", {mask.name}, {{"to", onnx::TensorProto::BOOL}}},
                   {onnx::TensorProto::BOOL, mask.shape});
  const Tensor texts = numbered_texts(graph, batch);
  const Pairs keys = index_pairs(graph, texts, key_places(graph, tokens));
  const Tensor read = read_at(graph, wanted, onnx::TensorProto::BOOL, keys);
  const Tensor every = graph.constant(
      "bitwise_and", byte_tensor(onnx::TensorProto::BOOL, {1, 1, tokens, 1},
                                 std::vector<std::uint8_t>(static_cast<std::size_t>(tokens), 1)));
  const Tensor seen = graph.traced("bitwise_and", {"And", {every.name, read.name}},
                                   {onnx::TensorProto::BOOL, {graph.batch(), 1, tokens, tokens}});
  return additive(graph, seen);
}

Tensor self_attention(ProgramGraph& graph, const Tensor& x, const Tensor& mask,
                      const std::string& module, const Sizes& sizes) {
  const TransformerSizes& layers = sizes.layers;
  const std::int64_t tokens = sizes.text.tokens;
  const auto by_head = [&](const char* part) {
    const Tensor rows = linear(graph, x, module + part, Features{layers.width, layers.width});
    const Tensor heads = view(graph, rows, {-1, tokens, layers.heads, layers.head()},
                              {graph.batch(), tokens, layers.heads, layers.head()});
    return transpose(graph, "transpose", heads, {0, 2, 1, 3});
  };
  const Tensor queries = by_head(".query");
  const Tensor keys = by_head(".key");
  const Heads heads{queries, keys, by_head(".value"), layers.heads, tokens, layers.head()};
  const Tensor mixed =
      transpose(graph, "transpose", masked_attention(graph, heads, mask), {0, 2, 1, 3});
  return view(graph, mixed, {-1, tokens, layers.width}, x.shape);
}

Tensor encoder_layer(ProgramGraph& graph, const Tensor& x, const Tensor& mask,
                     const std::string& module, const Sizes& sizes) {
  const auto [layers, width, heads, hidden] = sizes.layers;
  Tensor v = self_attention(graph, x, mask, module + ".attention.self", sizes);
  v = linear(graph, v, module + ".attention.output.dense", Features{width, width});
  v = elementwise(graph, "add", "Add", {v.name, x.name}, x);
  const Tensor attended =
      layer_norm(graph, v, module + ".attention.output.LayerNorm", width, kEpsilon);
  v = linear(graph, attended, module + ".intermediate.dense", Features{width, hidden});
  v = linear(graph, gelu(graph, v), module + ".output.dense", Features{hidden, width});
  v = elementwise(graph, "add", "Add", {v.name, attended.name}, x);
  return layer_norm(graph, v, module + ".output.LayerNorm", width, kEpsilon);
}

}  // namespace

std::string bert_base(const ModelRequest& request) {
  const Sizes sizes{transformer_sizes(request.tiny), bert_text(request.tiny)};
  ProgramGraph graph(request);
  const auto ids = [&](const char* name) {
    return graph.input(name, onnx::TensorProto::INT64, {graph.batch(), sizes.text.tokens});
  };
  const Tensor words = ids("input_ids");
  const Tensor looked_at = ids("attention_mask");
  const Tensor types = ids("token_type_ids");
  const BatchSize batch = batch_size(graph, types);
  Tensor v = embeddings(graph, words, types, sizes);
  const Tensor mask = mask_of(graph, looked_at, batch, sizes.text.tokens);
  for (std::int64_t layer = 0; layer < sizes.layers.layers; ++layer)
    v = encoder_layer(graph, v, mask, "encoder.layer." + std::to_string(layer), sizes);
  const Tensor first = select(graph, v, 1, 0);
  const Tensor pooled =
      gemm(graph, first, "pooler.dense", {sizes.layers.width, sizes.layers.width});
  const Tensor answer = elementwise(graph, "tanh", "Tanh", {pooled.name}, pooled);
  graph.output(v, "last_hidden_state");
  graph.output(answer, "pooler_output");
  return graph.bytes();
}

}  // namespace pet::datasets
