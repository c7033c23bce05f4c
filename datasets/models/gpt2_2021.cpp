#include <cmath>

#include "datasets/models/architectures.h"
#include "datasets/models/request.h"
#include "datasets/models/script_layers.h"
#include "datasets/models/transformer_sizes.h"

namespace pet::datasets {
namespace {

constexpr std::int64_t kOpset = 13;
constexpr float kEpsilon = 1e-5F;
constexpr std::int64_t kAsMany = -1;

// What tensor.view(-1, length) takes for its shape.
std::string flat_rows_shape(ScriptGraph& graph, const std::string& length) {
  const std::string rows = graph.list({kAsMany});
  const std::string columns = unsqueeze(graph, length, 0);
  return graph.op("Concat", {rows, columns}, {{"axis", 0}});
}

// The layer that the code calls Conv1D: one Gemm of all rows, whose sizes are put back behind it.
std::string conv1d(ScriptGraph& graph, const std::string& x, const std::string& module,
                   const Features& features) {
  const RowSizes sizes = row_sizes(graph, x);
  const std::string width = size_from_end(graph, x, -1);
  const std::string matrix = graph.op("Reshape", {x, flat_rows_shape(graph, width)});
  const std::string product = graph.op(
      "Gemm",
      {matrix, graph.parameter(conv1d_weight(graph.weights(), module + ".weight", features)),
       graph.parameter(linear_bias(graph.weights(), module + ".bias", features.outputs))},
      {{"alpha", 1.0F}, {"beta", 1.0F}});
  return view(graph, product, sizes, {features.outputs});
}

std::string position_ids(ScriptGraph& graph, const std::string& length, const std::string& shape) {
  const std::string first = graph.constant(std::int64_t{0});
  const std::string end = graph.op("Cast", {length}, {{"to", onnx::TensorProto::INT64}});
  const std::string step = graph.constant(std::int64_t{1});
  const std::string counted = graph.op("Range", {first, end, step});
  return graph.op("Reshape", {unsqueeze(graph, counted, 0), shape});
}

// The rows of the triangle that belong to the queries, as many columns as there are keys.
std::string causal_mask(ScriptGraph& graph, const std::string& queries, const std::string& keys,
                        const std::string& module, std::int64_t positions) {
  const auto count = static_cast<std::size_t>(positions);
  std::vector<std::uint8_t> triangle(count * count);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t column = 0; column <= row; ++column) triangle[row * count + column] = 1;
  }
  const std::string all =
      graph.buffer(module + ".bias",
                   byte_tensor(onnx::TensorProto::UINT8, {1, 1, positions, positions}, triangle));
  const std::string asked = size_from_end(graph, queries, -2);
  const std::string length = size_from_end(graph, keys, -2);
  const std::string begin = unsqueeze(graph, graph.op("Sub", {length, asked}), 0);
  const std::string end = unsqueeze(graph, length, 0);
  const std::string row_axis = graph.list({2});
  const std::string row_step = graph.list({1});
  const std::string rows = graph.op("Slice", {all, begin, end, row_axis, row_step});
  const std::string first = graph.list({0});
  const std::string last = unsqueeze(graph, length, 0);
  const std::string column_axis = graph.list({3});
  const std::string column_step = graph.list({1});
  const std::string mask = graph.op("Slice", {rows, first, last, column_axis, column_step});
  return graph.op("Cast", {mask}, {{"to", onnx::TensorProto::BOOL}});
}

std::string scores(ScriptGraph& graph, const std::string& queries, const std::string& keys,
                   const TransformerSizes& sizes) {
  const std::string columns = graph.op("Transpose", {keys}, {{"perm", Dims{0, 2, 3, 1}}});
  const std::string product = graph.op("MatMul", {queries, columns});
  const std::string root = graph.constant(std::sqrt(static_cast<float>(sizes.head())));
  return graph.op("Div", {product, root});
}

std::string attention(ScriptGraph& graph, const std::string& x, const std::string& module,
                      const TransformerSizes& sizes, std::int64_t positions) {
  const Attribute rows{"perm", Dims{0, 2, 1, 3}};
  const std::string joined = conv1d(graph, x, module + ".c_attn", {sizes.width, 3 * sizes.width});
  const std::string parts = graph.list({sizes.width, sizes.width, sizes.width});
  const std::vector<std::string> split = graph.nodes("Split", {joined, parts}, {{"axis", 2}}, 3);
  const auto by_head = [&](const std::string& part) {
    return view(graph, part, row_sizes(graph, part), {sizes.heads, sizes.head()});
  };
  const std::string queries = graph.op("Transpose", {by_head(split[0])}, {rows});
  const std::string keys = by_head(split[1]);
  const std::string key_rows = graph.op("Transpose", {keys}, {rows});
  const std::string values = graph.op("Transpose", {by_head(split[2])}, {rows});
  const std::string scaled = scores(graph, queries, keys, sizes);
  const std::string mask = causal_mask(graph, queries, key_rows, module, positions);
  const std::string far =
      graph.buffer(module + ".masked_bias", tensor_of({}, std::vector<float>{-10000.0F}));
  const std::string seen = graph.op("Where", {mask, scaled, far});
  const std::string shares = graph.op("Softmax", {seen}, {{"axis", -1}});
  const std::string mixed = graph.op("Transpose", {graph.op("MatMul", {shares, values})}, {rows});
  const std::string merged = view(graph, mixed, row_sizes(graph, mixed), {sizes.width});
  return conv1d(graph, merged, module + ".c_proj", {sizes.width, sizes.width});
}

std::string block(ScriptGraph& graph, const std::string& x, const std::string& module,
                  const TransformerSizes& sizes, std::int64_t positions) {
  std::string v = layer_norm(graph, x, module + ".ln_1", sizes.width, kEpsilon);
  v = attention(graph, v, module + ".attn", sizes, positions);
  const std::string attended = graph.op("Add", {v, x});
  v = layer_norm(graph, attended, module + ".ln_2", sizes.width, kEpsilon);
  v = conv1d(graph, v, module + ".mlp.c_fc", {sizes.width, sizes.hidden});
  v = conv1d(graph, gelu_by_tanh(graph, v), module + ".mlp.c_proj", {sizes.hidden, sizes.width});
  return graph.op("Add", {attended, v});
}

}  // namespace

std::string gpt2_2021(const ModelRequest& request) {
  const TransformerSizes sizes = transformer_sizes(request.tiny);
  const TextSizes text = gpt2_text(request.tiny);
  ScriptGraph graph(request, kOpset);
  const Shape open{open_batch(request), Extent(std::string("sequence"))};
  const std::string ids = graph.input("input_ids", onnx::TensorProto::INT64, open);
  const RowSizes rows = row_sizes(graph, ids);
  const std::string ids_shape = flat_rows_shape(graph, rows.second);
  const std::string positions_shape = flat_rows_shape(graph, rows.second);
  const std::string words = graph.op("Reshape", {ids, ids_shape});
  const std::string positions = position_ids(graph, rows.second, positions_shape);
  const Parameter table =
      embedding(graph.weights(), "transformer.wte.weight", {text.vocabulary, sizes.width});
  const Parameter places =
      embedding(graph.weights(), "transformer.wpe.weight", {text.positions, sizes.width});
  const std::string named = graph.op("Gather", {graph.parameter(table), words});
  const std::string placed = graph.op("Gather", {graph.parameter(places), positions});
  std::string v = graph.op("Add", {named, placed});
  const std::string width = size_from_end(graph, v, -1);
  for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
    v = block(graph, v, "transformer.h." + std::to_string(layer), sizes, text.positions);
  v = layer_norm(graph, v, "transformer.ln_f", sizes.width, kEpsilon);
  const std::string first = unsqueeze(graph, rows.first, 0);
  const std::string second = unsqueeze(graph, rows.second, 0);
  const std::string last = unsqueeze(graph, width, 0);
  const std::string shape = graph.op("Concat", {first, second, last}, {{"axis", 0}});
  v = graph.op("Reshape", {v, shape});
  const std::string logits = graph.op("MatMul", {v, graph.folded(transposed(table))});
  graph.output(logits, "logits", {open[0], open[1], text.vocabulary});
  return graph.bytes();
}

}  // namespace pet::datasets
