#include "datasets/models/architectures.h"
#include "datasets/models/gelu_constants.h"
#include "datasets/models/program_attention.h"
#include "datasets/models/program_masks.h"
#include "datasets/models/transformer_sizes.h"

namespace pet::datasets {
namespace {

constexpr float kEpsilon = 1e-5F;

struct Sizes {
  TransformerSizes layers;
  TextSizes text;
};

Declared integers_of(const Shape& shape) { return {onnx::TensorProto::INT64, shape}; }

// All tokens of all texts, one a row.
Tensor rows_of(ProgramGraph& graph, const Tensor& x, std::int64_t width, std::int64_t tokens) {
  return view(graph, x, {-1, width}, {graph.batch().times(tokens), width});
}

// The same where it follows a view of its own: the exporter makes one Reshape of both, whose zeros
// keep their meaning.
Tensor merged_rows(ProgramGraph& graph, const Tensor& x, std::int64_t width, std::int64_t tokens) {
  return graph.traced("view", {"Reshape", {x.name, graph.integers({-1, width})}},
                      {onnx::TensorProto::FLOAT, {graph.batch().times(tokens), width}});
}

// The layer that the code calls Conv1D: one Gemm of all rows.
Tensor conv1d(ProgramGraph& graph, const Tensor& rows, const std::string& module,
              const Features& features, std::int64_t tokens) {
  const std::string weight =
      graph.parameter(conv1d_weight(graph.weights(), module + ".weight", features));
  const std::string bias =
      graph.parameter(linear_bias(graph.weights(), module + ".bias", features.outputs));
  const Tensor product =
      graph.traced("addmm",
                   {"Gemm",
                    {rows.name, weight, bias},
                    {{"beta", 1.0F}, {"transB", 0}, {"alpha", 1.0F}, {"transA", 0}}},
                   {onnx::TensorProto::FLOAT, {rows.shape[0], features.outputs}});
  return view(graph, product, {-1, tokens, features.outputs},
              {graph.batch(), tokens, features.outputs});
}

// Which text of a row of joined texts a place belongs to: one more wherever places do not count on.
// Here they always do, and the program finds out.
Tensor text_numbers(ProgramGraph& graph, const Tensor& places, std::int64_t tokens) {
  const Extent& batch = graph.batch();
  const Shape shape{batch, tokens};
  const std::string zero = graph.integers({0});
  const std::string one = graph.integers({1});
  const std::string scalar = graph.integer(1);
  const auto slice = [&](const Tensor& x, const std::string& begin, const std::string& end,
                         const std::string& axis, std::int64_t extent) {
    return graph.traced("slice", {"Slice", {x.name, begin, end, axis, one}},
                        integers_of({batch, extent}));
  };
  const Tensor head = slice(places, zero, one, one, 1);
  const Tensor before = graph.traced("sub", {"Sub", {head.name, scalar}}, integers_of({batch, 1}));
  const Tensor all = graph.traced("cat", {"Concat", {before.name, places.name}, {{"axis", -1}}},
                                  integers_of({batch, tokens + 1}));
  const std::string last = graph.integers({-1});
  const Tensor earlier = slice(all, zero, graph.integers({tokens}), last, tokens);
  const Tensor later = slice(all, one, graph.integers({tokens + 1}), last, tokens);
  const Tensor step = graph.traced("sub", {"Sub", {later.name, earlier.name}}, integers_of(shape));
  const Tensor goes_on =
      graph.inner({"Equal", {step.name, scalar}}, {onnx::TensorProto::BOOL, shape});
  const Tensor jump = graph.traced("ne", {"Not", {goes_on.name}}, {onnx::TensorProto::BOOL, shape});
  const Tensor number =
      graph.traced("convert_element_type_default",
                   {"Cast", {jump.name}, {{"to", onnx::TensorProto::INT64}}}, integers_of(shape));
  return graph.traced(
      "cumsum", {"CumSum", {number.name, graph.integer(-1)}, {{"reverse", 0}, {"exclusive", 0}}},
      integers_of(shape));
}

// A query looks at the keys of its own text that do not stand behind it.
Tensor causal_mask(ProgramGraph& graph, const Tensor& places, const BatchSize& batch,
                   std::int64_t tokens) {
  const Tensor numbers = text_numbers(graph, places, tokens);
  const Tensor texts = numbered_texts(graph, batch);
  const Pairs queries = index_pairs(graph, texts, query_places(graph, tokens));
  const auto read = [&](const Tensor& table, const Pairs& pairs) {
    return read_at(graph, table, onnx::TensorProto::INT64, pairs).name;
  };
  const std::string query = read(places, queries);
  const Pairs keys = index_pairs(graph, texts, key_places(graph, tokens));
  const std::string key = read(places, keys);
  const Declared declared{onnx::TensorProto::BOOL, {graph.batch(), 1, tokens, tokens}};
  const auto truth = [&](const char* name, const char* type, const std::string& a,
                         const std::string& b) {
    return graph.traced(name, {type, {a, b}}, declared);
  };
  const Tensor every = graph.constant("new_ones", byte_tensor(onnx::TensorProto::BOOL, {}, {1}));
  const Tensor not_behind = truth("le", "LessOrEqual", key, query);
  const Tensor seen = truth("bitwise_and", "And", every.name, not_behind.name);
  const std::string own = read(numbers, queries);
  const Tensor same_text = truth("eq", "Equal", own, read(numbers, keys));
  return additive(graph, truth("bitwise_and", "And", seen.name, same_text.name));
}

Tensor gelu_by_tanh(ProgramGraph& graph, const Tensor& x) {
  const auto with = [&](const char* name, const char* type, const Tensor& a, const std::string& b) {
    return elementwise(graph, name, type, {a.name, b}, x);
  };
  const Tensor halved = with("mul", "Mul", x, graph.number(0.5F));
  const Tensor cube = with("pow", "Pow", x, graph.number(3.0F));
  const Tensor part = with("mul", "Mul", cube, graph.number(kCubeShare));
  const Tensor inner = with("add", "Add", x, part.name);
  const Tensor scaled = with("mul", "Mul", inner, graph.number(kRootOfTwoByPi));
  const Tensor tanh = elementwise(graph, "tanh", "Tanh", {scaled.name}, x);
  const Tensor sum = with("add", "Add", tanh, graph.number(1.0F));
  return with("mul", "Mul", halved, sum.name);
}

Tensor self_attention(ProgramGraph& graph, const Tensor& x, const Tensor& mask,
                      const std::string& module, const Sizes& sizes) {
  const TransformerSizes& layers = sizes.layers;
  const std::int64_t tokens = sizes.text.tokens;
  const Tensor joined = conv1d(graph, rows_of(graph, x, layers.width, tokens), module + ".c_attn",
                               {layers.width, 3 * layers.width}, tokens);
  const std::vector<Tensor> parts = graph.split(joined, 2, 3, {onnx::TensorProto::FLOAT, x.shape});
  const auto by_head = [&](const Tensor& part) {
    const Tensor heads = view(graph, part, {-1, tokens, layers.heads, layers.head()},
                              {graph.batch(), tokens, layers.heads, layers.head()});
    return transpose(graph, "transpose", heads, {0, 2, 1, 3});
  };
  const Tensor keys = by_head(parts[1]);
  const Tensor values = by_head(parts[2]);
  const Heads heads{by_head(parts[0]), keys, values, layers.heads, tokens, layers.head()};
  const Tensor mixed =
      transpose(graph, "transpose", masked_attention(graph, heads, mask), {0, 2, 1, 3});
  return conv1d(graph, merged_rows(graph, mixed, layers.width, tokens), module + ".c_proj",
                {layers.width, layers.width}, tokens);
}

Tensor block(ProgramGraph& graph, const Tensor& x, const Tensor& mask, const std::string& module,
             const Sizes& sizes) {
  const auto [layers, width, heads, hidden] = sizes.layers;
  const std::int64_t tokens = sizes.text.tokens;
  Tensor v = layer_norm(graph, x, module + ".ln_1", width, kEpsilon);
  v = self_attention(graph, v, mask, module + ".attn", sizes);
  const Tensor attended = elementwise(graph, "add", "Add", {v.name, x.name}, x);
  v = layer_norm(graph, attended, module + ".ln_2", width, kEpsilon);
  v = rows_of(graph, v, width, tokens);
  v = gelu_by_tanh(graph, conv1d(graph, v, module + ".mlp.c_fc", {width, hidden}, tokens));
  v = rows_of(graph, v, hidden, tokens);
  v = conv1d(graph, v, module + ".mlp.c_proj", {hidden, width}, tokens);
  return elementwise(graph, "add", "Add", {attended.name, v.name}, x);
}

Tensor first_places(ProgramGraph& graph, std::int64_t tokens) {
  return graph.constant("unsqueeze", tensor_of({1, tokens}, counted(tokens)));
}

Tensor for_all_texts(ProgramGraph& graph, const Tensor& places, const BatchSize& batch,
                     const Shape& shape) {
  const Tensor extents =
      graph.inner({"Concat", {batch.list, graph.integers({1})}, {{"axis", 0}}}, integers_of({2}));
  return graph.traced("expand", {"Expand", {places.name, extents.name}}, integers_of(shape));
}

// The table of words is that of the last layer, and the exporter calls it so.
Parameter words_of(ProgramGraph& graph, const Sizes& sizes) {
  Parameter table = embedding(graph.weights(), "transformer.wte.weight",
                              {sizes.text.vocabulary, sizes.layers.width});
  table.name = "lm_head.weight";
  return table;
}

Tensor embeddings(ProgramGraph& graph, const Tensor& ids, const Tensor& places,
                  const Parameter& table, const Sizes& sizes) {
  const std::string flat = graph.integers({-1, sizes.text.tokens});
  const Tensor words = graph.traced("view", {"Reshape", {ids.name, flat}, {{"allowzero", 1}}},
                                    integers_of(ids.shape));
  const Tensor named = lookup(graph, table, words);
  const Parameter positions = embedding(graph.weights(), "transformer.wpe.weight",
                                        {sizes.text.positions, sizes.layers.width});
  const Tensor placed = lookup(graph, positions, places);
  return elementwise(graph, "add", "Add", {named.name, placed.name}, named);
}

}  // namespace

std::string gpt2(const ModelRequest& request) {
  const Sizes sizes{transformer_sizes(request.tiny), gpt2_text(request.tiny)};
  const std::int64_t tokens = sizes.text.tokens;
  const std::int64_t width = sizes.layers.width;
  ProgramGraph graph(request);
  const Shape shape{graph.batch(), tokens};
  const Tensor ids = graph.input("input_ids", onnx::TensorProto::INT64, shape);
  const BatchSize batch = batch_size(graph, ids);
  const Tensor places = first_places(graph, tokens);
  const Parameter table = words_of(graph, sizes);
  Tensor v = embeddings(graph, ids, places, table, sizes);
  const Tensor mask = causal_mask(graph, for_all_texts(graph, places, batch, shape), batch, tokens);
  for (std::int64_t layer = 0; layer < sizes.layers.layers; ++layer)
    v = block(graph, v, mask, "transformer.h." + std::to_string(layer), sizes);
  v = layer_norm(graph, v, "transformer.ln_f", width, kEpsilon);
  v = view(graph, v, {-1, tokens, width}, v.shape);
  const Tensor columns = graph.inner({"Transpose", {table.name}, {{"perm", Dims{1, 0}}}},
                                     {onnx::TensorProto::FLOAT, {width, sizes.text.vocabulary}});
  const Tensor logits =
      graph.traced("linear", {"MatMul", {v.name, columns.name}},
                   {onnx::TensorProto::FLOAT, {graph.batch(), tokens, sizes.text.vocabulary}});
  graph.output(logits, "logits");
  return graph.bytes();
}

}  // namespace pet::datasets
