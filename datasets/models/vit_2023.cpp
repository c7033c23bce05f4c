#include <limits>

#include "datasets/models/architectures.h"
#include "datasets/models/script_vit.h"

namespace pet::datasets {
namespace {

constexpr std::int64_t kOpset = 14;
constexpr std::int64_t kToEnd = std::numeric_limits<std::int64_t>::max();

// tensor.unflatten(-1, (3, width)): the shape before the axis, the two extents, the shape behind
// it. Even the place of the last of three axes is computed, as 2 mod 3.
std::string unflattened(ScriptGraph& graph, const std::string& x, const std::string& width) {
  const std::string three = graph.list({3});
  const std::string extents =
      graph.op("Concat", {three, unsqueeze(graph, width, 0)}, {{"axis", 0}});
  const std::string axis = graph.list({2});
  const std::string rank = graph.list({3});
  const std::string place = graph.op("Mod", {axis, rank});
  const std::string shape = graph.op("Shape", {x});
  const auto listed = [&](const std::string& index) {
    const std::string one = graph.list({1});
    return graph.op("Reshape", {index, one});
  };
  const std::string begin = graph.list({0});
  const std::string before = graph.op("Slice", {shape, begin, listed(place)});
  const std::string one = graph.list({1});
  const std::string next = listed(graph.op("Add", {place, one}));
  const std::string end = graph.list({kToEnd});
  const std::string behind = graph.op("Slice", {shape, next, end});
  return reshape(graph, x, graph.op("Concat", {before, extents, behind}, {{"axis", 0}}));
}

// Queries, keys and values along the first axis.
std::string three_parts(ScriptGraph& graph, const std::string& x, const std::string& width) {
  const std::string apart = unsqueeze(graph, unflattened(graph, x, width), 0);
  const std::string turned = graph.op("Transpose", {apart}, {{"perm", Dims{3, 1, 2, 0, 4}}});
  const std::string axes = graph.list({3});
  return graph.op("Squeeze", {turned, axes});
}

struct Extents {
  std::string length, batch, width, head;
};

// [batch * heads, rows, head]; the rows of keys and values were numbers when the model was traced.
struct Parts {
  std::string query, key, value;
};

Parts beside_images(ScriptGraph& graph, const std::string& parts, const Extents& extents,
                    const VitParts& vit) {
  const auto part = [&](const std::string& index) {
    return graph.op("Gather", {parts, index}, {{"axis", 0}});
  };
  const std::string query = part(vit.zero);
  const std::string key = part(graph.constant(std::int64_t{1}));
  const std::string value = part(graph.constant(std::int64_t{2}));
  const std::string heads = graph.constant(vit.layers.heads);
  const std::string groups = graph.op("Mul", {extents.batch, heads});
  const auto turned = [&](const std::string& x, const std::string& shape) {
    return graph.op("Transpose", {reshape(graph, x, shape)}, {{"perm", Dims{1, 0, 2}}});
  };
  const auto traced_shape = [&] {
    const std::string rows = graph.list({vit.rows});
    const std::string middle = unsqueeze(graph, groups, 0);
    const std::string last = unsqueeze(graph, extents.head, 0);
    return graph.op("Concat", {rows, middle, last}, {{"axis", 0}});
  };
  const std::string queries =
      turned(query, shape_of(graph, {extents.length, groups, extents.head}));
  const std::string keys = turned(key, traced_shape());
  return {queries, keys, turned(value, traced_shape())};
}

// One over the root of the last extent.
std::string scale_of(ScriptGraph& graph, const std::string& queries) {
  const Attribute to{"to", onnx::TensorProto::FLOAT};
  const std::string shape = graph.op("Shape", {queries});
  const std::string last = graph.list({-1});
  const std::string end = graph.list({kToEnd});
  const std::string extent = graph.op("Slice", {shape, last, end});
  const std::string root = graph.op("Sqrt", {graph.op("Cast", {extent}, {to})});
  const std::string one = graph.one_number(1.0F);
  return graph.op("Cast", {graph.op("Div", {one, root})}, {to});
}

// scaled_dot_product_attention of [batch, heads, rows, head].
std::string product_attention(ScriptGraph& graph, const Parts& heads) {
  const std::string scale = scale_of(graph, heads.query);
  const std::string columns = graph.op("Transpose", {heads.key}, {{"perm", Dims{0, 1, 3, 2}}});
  const std::string queries = graph.op("Mul", {heads.query, graph.op("Sqrt", {scale})});
  const std::string keys = graph.op("Mul", {columns, graph.op("Sqrt", {scale})});
  const std::string scores = graph.op("MatMul", {queries, keys});
  const std::string shares = graph.op("Softmax", {scores}, {{"axis", -1}});
  return graph.op("MatMul", {shares, heads.value});
}

// Heads get an axis of their own.
Parts by_head(ScriptGraph& graph, const Parts& parts, const Extents& extents, const VitParts& vit) {
  const std::string key_rows = size_of(graph, parts.key, 1);
  const auto shape = [&](const std::string& rows) {
    const std::string batch = unsqueeze(graph, extents.batch, 0);
    const std::string heads = graph.list({vit.layers.heads});
    const std::string length = unsqueeze(graph, rows, 0);
    const std::string head = unsqueeze(graph, extents.head, 0);
    return graph.op("Concat", {batch, heads, length, head}, {{"axis", 0}});
  };
  const std::string query = reshape(graph, parts.query, shape(extents.length));
  const std::string key_shape = shape(key_rows);
  const std::string value_shape = shape(key_rows);
  const std::string key = reshape(graph, parts.key, key_shape);
  return {query, key, reshape(graph, parts.value, value_shape)};
}

std::string attention(ScriptGraph& graph, const std::string& x, const std::string& module,
                      const VitParts& vit) {
  const std::int64_t width = vit.layers.width;
  const Attribute turned{"perm", Dims{1, 0, 2}};
  const std::string rows = graph.op("Transpose", {x}, {turned});
  Extents extents{size_of(graph, rows, 0), size_of(graph, rows, 1), size_of(graph, rows, 2), {}};
  extents.head = floor_divided(graph, extents.width, vit.layers.heads);
  const std::string last = size_from_end(graph, rows, -1);
  const LinearNames in{module + ".in_proj_weight", module + ".in_proj_bias"};
  const std::string joined = linear(graph, rows, in, {width, 3 * width});
  const Parts parts = beside_images(graph, three_parts(graph, joined, last), extents, vit);
  const std::string mixed =
      graph.op("Transpose", {product_attention(graph, by_head(graph, parts, extents, vit))},
               {{"perm", Dims{2, 0, 1, 3}}});
  const std::string all = graph.op("Mul", {extents.batch, extents.length});
  const std::string flat = reshape(graph, mixed, shape_of(graph, {all, extents.width}));
  const std::string out = gemm(graph, flat, module + ".out_proj", {width, width});
  const std::string columns = size_of(graph, out, 1);
  const std::string back =
      reshape(graph, out, shape_of(graph, {extents.length, extents.batch, columns}));
  return graph.op("Transpose", {back}, {turned});
}

}  // namespace

std::string vit_b16_2023(const ModelRequest& request) {
  return script_vit(request, kOpset, attention);
}

}  // namespace pet::datasets
