#include "datasets/models/program_masks.h"

#include <limits>

namespace pet::datasets {
namespace {

Declared integers_of(const Shape& shape) { return {onnx::TensorProto::INT64, shape}; }

Places places(ProgramGraph& graph, std::size_t axis, std::int64_t tokens) {
  Dims shape(4, 1);
  shape[axis] = tokens;
  Places out{graph.constant("unsqueeze", tensor_of(shape, counted(tokens))).name, Shape(4),
             Shape(shape.begin(), shape.end())};
  out.known[axis] = tokens;
  out.all[0] = graph.batch();
  return out;
}

}  // namespace

BatchSize batch_size(ProgramGraph& graph, const Tensor& ids) {
  const Tensor list =
      graph.inner({"Shape", {ids.name}, {{"end", 1}, {"start", 0}}}, integers_of({1}));
  return {graph.traced("sym_size_int", {"Squeeze", {list.name}}, integers_of({})).name, list.name};
}

Tensor numbered_texts(ProgramGraph& graph, const BatchSize& size) {
  const Extent& batch = graph.batch();
  Tensor v = graph.traced("arange", {"Range", {graph.integer(0), size.scalar, graph.integer(1)}},
                          integers_of({batch}));
  v = graph.traced("unsqueeze", {"Unsqueeze", {v.name, graph.integers({1, 2})}},
                   integers_of({batch, 1, 1}));
  return graph.traced("unsqueeze", {"Unsqueeze", {v.name, graph.integers({3})}},
                      integers_of({batch, 1, 1, 1}));
}

Places query_places(ProgramGraph& graph, std::int64_t tokens) { return places(graph, 2, tokens); }

Places key_places(ProgramGraph& graph, std::int64_t tokens) { return places(graph, 3, tokens); }

Pairs index_pairs(ProgramGraph& graph, const Tensor& texts, const Places& places) {
  const std::string last = graph.integers({-1});
  const Tensor joined = graph.inner({"Max", {texts.name, places.name}}, integers_of(places.all));
  const Tensor shape = graph.inner({"Shape", {joined.name}, {{"start", 0}}}, integers_of({4}));
  const auto column = [&](const std::string& x, Shape known) {
    const Tensor spread = graph.inner({"Expand", {x, shape.name}}, integers_of(known));
    known.emplace_back(1);
    return graph.inner({"Unsqueeze", {spread.name, last}}, integers_of(known)).name;
  };
  const std::string first = column(texts.name, Shape(4));
  const std::string second = column(places.name, places.known);
  Shape known = places.known;
  known.emplace_back(2);
  const Tensor pairs = graph.inner({"Concat", {first, second}, {{"axis", -1}}}, integers_of(known));
  return {pairs.name, places.all};
}

Tensor read_at(ProgramGraph& graph, const Tensor& table, ElementType type, const Pairs& pairs) {
  return graph.inner({"GatherND", {table.name, pairs.name}, {{"batch_dims", 0}}},
                     {type, pairs.read});
}

Tensor additive(ProgramGraph& graph, const Tensor& mask) {
  return graph.inner(
      {"Where",
       {mask.name, graph.number(0.0F), graph.number(std::numeric_limits<float>::lowest())}},
      {onnx::TensorProto::FLOAT, mask.shape});
}

}  // namespace pet::datasets
