// What the axes of an operator's data, weight and result are to each other, by its meaning.
#include "core/analysis/product.h"

#include "tests/core/program/programs.h"

using namespace pet;
using namespace pet::test;

namespace {

struct Made {
  Graph graph;
  NodeId node;
};

Made made(Programs p, NodeId node) {
  p.output(node);
  return {std::move(p).build(), node};
}

Made convolution(const Shape& weight, Attrs attrs) {
  Programs p;
  const NodeId x = p.input({2, 4, 9, 8});
  const NodeId y = p.op(ops::conv(), {x, p.weight(weight), p.weight({weight[0]})}, attrs);
  return made(std::move(p), y);
}

const Attrs kStrided{{"group", std::int64_t{2}},
                     {"strides", Ints{2, 1}},
                     {"dilations", Ints{2, 1}},
                     {"pads", Ints{2, 0, 1, 0}}};

std::vector<AxisRole> roles(const Product& product, const std::vector<std::size_t>& dim) {
  std::vector<AxisRole> out;
  for (const std::size_t axis : dim) out.push_back(product.axes[axis].role);
  return out;
}

}  // namespace

TEST_CASE("A convolution has batches, groups of channels and of features, and slides") {
  const auto [graph, node] = convolution({6, 2, 3, 1}, kStrided);
  const auto product = read_product(graph, node);
  REQUIRE(product);
  using Roles = std::vector<AxisRole>;
  REQUIRE(product->data_dims.size() == 4);
  REQUIRE(product->result_dims.size() == 4);
  CHECK(roles(*product, product->data_dims[0]) == Roles{AxisRole::Batch});
  CHECK(roles(*product, product->data_dims[1]) == Roles{AxisRole::Group, AxisRole::Channel});
  CHECK(roles(*product, product->data_dims[2]) == Roles{AxisRole::Slide});
  CHECK(roles(*product, product->data_dims[3]) == Roles{AxisRole::Batch});  // one tap, one step
  CHECK(roles(*product, product->result_dims[1]) == Roles{AxisRole::Group, AxisRole::Feature});
  CHECK(product->weight_dims[0] == product->result_dims[1]);
  CHECK(product->bias_dims == AxisDims{product->result_dims[1]});
  const ProductAxis& slide = product->axes[product->data_dims[2][0]];
  CHECK(slide.slide == Slide{.taps = 3, .stride = 2, .dilation = 2, .before = 2, .after = 0});
  CHECK(slide.data == 9);
  CHECK(slide.result == 4);
}

TEST_CASE("A matrix product has rows, columns and what is summed over; its data is no constant") {
  Programs p;
  const NodeId w = p.weight({3, 4});
  const NodeId y = p.op(ops::mat_mul(), {w, p.input({4, 5})});
  const auto [graph, node] = made(std::move(p), y);
  const auto product = read_product(graph, node);
  REQUIRE(product);
  CHECK(product->weight == w);
  CHECK(product->has(AxisRole::Channel));
  CHECK_FALSE(product->has(AxisRole::Group));
  CHECK(roles(*product, product->result_dims[0]) == std::vector{AxisRole::Feature});
  CHECK(roles(*product, product->result_dims[1]) == std::vector{AxisRole::Batch});
}

TEST_CASE("What scales, adds or applies a function is no such product") {
  Programs p;
  const NodeId x = p.input({4, 4});
  const std::vector<NodeId> none = {p.relu(x), p.add(x, p.weight({4, 4})),
                                    p.op(ops::gemm(), {x, p.weight({4, 4})}, {{"alpha", 2.0}})};
  for (const NodeId id : none) p.output(id);
  const Graph graph = std::move(p).build();
  for (const NodeId id : none) {
    CAPTURE(graph.node(id).op()->def->name);
    CHECK_FALSE(read_product(graph, id));
  }
}

TEST_CASE("Products that differ in nothing but features are found to be alike") {
  const auto read = [](const Shape& weight, const Attrs& attrs) {
    const auto [graph, node] = convolution(weight, attrs);
    return *read_product(graph, node);
  };
  Attrs denser = kStrided;
  denser.set("dilations", Ints{1, 1});
  const Product product = read({6, 2, 3, 1}, kStrided);
  CHECK(product.same_but_features(read({8, 2, 3, 1}, kStrided)));
  CHECK_FALSE(product.same_but_features(read({6, 2, 3, 1}, denser)));
}

TEST_CASE("The zeros behind a slide follow from its length") {
  const Slide slide{.taps = 3, .stride = 2, .dilation = 1, .before = 1, .after = 0};
  CHECK(slide.length(8) == 4);
  CHECK(slide.after_for(8, 4) == 0);
  CHECK(slide.after_for(8, 5) == 2);
  CHECK_FALSE(slide.after_for(8, 6));  // more zeros than a window takes
  CHECK_FALSE(slide.after_for(8, 3));  // would leave out what it reads
}
