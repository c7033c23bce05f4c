#include <cmath>

#include "datasets/models/architectures.h"
#include "datasets/models/script_vit.h"

namespace pet::datasets {
namespace {

constexpr std::int64_t kOpset = 12;

struct ThreeParts {
  std::string query, key, value;
};

// tensor.chunk(3, dim=-1), whose bounds are computed from the extent: a third of it, rounded up.
ThreeParts chunks(ScriptGraph& graph, const std::string& x) {
  const std::string shape = graph.op("Shape", {x});
  const std::string axis = graph.list({-1});
  const std::string extent = graph.op("Gather", {shape, axis}, {{"axis", 0}});
  const std::string first = graph.list({0});
  const std::string up = graph.list({2});
  const std::string raised = graph.op("Add", {extent, up});
  const std::string three = graph.list({3});
  const std::string part = graph.op("Div", {raised, three});
  std::string begin = first;
  const auto next = [&](std::int64_t number) {
    const std::string factor = graph.list({number});
    const std::string end = graph.op("Mul", {part, factor});
    const std::string slice = graph.op("Slice", {x, begin, end, axis});
    begin = end;
    return slice;
  };
  const std::string query = next(1);
  const std::string key = next(2);
  return {query, key, next(3)};
}

// Heads stand beside images in the middle axis of [patches, batch * heads, head].
std::string attention(ScriptGraph& graph, const std::string& x, const std::string& module,
                      const VitParts& vit) {
  const TransformerSizes& sizes = vit.layers;
  const Attribute turned{"perm", Dims{1, 0, 2}};
  const std::string rows = graph.op("Transpose", {x}, {turned});
  const std::string length = size_of(graph, rows, 0);
  const std::string batch = size_of(graph, rows, 1);
  const std::string width = size_of(graph, rows, 2);
  const std::string head = floor_divided(graph, width, sizes.heads);
  const LinearNames in{module + ".in_proj_weight", module + ".in_proj_bias"};
  const std::string joined = linear(graph, rows, in, {sizes.width, 3 * sizes.width});
  const ThreeParts parts = chunks(graph, joined);
  const std::string heads = graph.constant(sizes.heads);
  const std::string groups = graph.op("Mul", {batch, heads});
  const auto by_head = [&](const std::string& part, const std::string& count) {
    return graph.op("Reshape", {part, shape_of(graph, {count, groups, head})});
  };
  const std::string queries = graph.op("Transpose", {by_head(parts.query, length)}, {turned});
  const std::string keys = by_head(parts.key, size_of(graph, parts.key, 0));
  const std::string value = by_head(parts.value, size_of(graph, parts.value, 0));
  const std::string values = graph.op("Transpose", {value}, {turned});
  const std::string root = graph.constant(std::sqrt(static_cast<float>(sizes.head())));
  const std::string scaled = graph.op("Div", {queries, root});
  const std::string columns = graph.op("Transpose", {keys}, {{"perm", Dims{1, 2, 0}}});
  const std::string scores = graph.op("MatMul", {scaled, columns});
  const std::string shares = graph.op("Softmax", {scores}, {{"axis", 2}});
  const std::string mixed = graph.op("Transpose", {graph.op("MatMul", {shares, values})}, {turned});
  const std::string all = graph.op("Mul", {length, batch});
  const std::string flat = graph.op("Reshape", {mixed, shape_of(graph, {all, width})});
  const std::string out = gemm(graph, flat, module + ".out_proj", {sizes.width, sizes.width});
  const std::string columns_out = size_of(graph, out, 1);
  const std::string back =
      graph.op("Reshape", {out, shape_of(graph, {length, batch, columns_out})});
  return graph.op("Transpose", {back}, {turned});
}

}  // namespace

std::string vit_b16_2021(const ModelRequest& request) {
  return script_vit(request, kOpset, attention);
}

}  // namespace pet::datasets
