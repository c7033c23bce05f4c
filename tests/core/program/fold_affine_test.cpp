// What is folded into weights: normalisations, and chains of products and sums with constants.
#include "core/program/fold_affine.h"

#include <algorithm>

#include "tests/core/program/programs.h"

using namespace pet;
using namespace pet::test;

namespace {

NodeId normalised(Programs& p, NodeId x, Dim channels) {
  std::vector<NodeId> operands = {x};
  for (int i = 0; i < 4; ++i) operands.push_back(p.weight({channels}));
  return p.op(ops::batch_normalization(), std::move(operands));
}

NodeId mul(Programs& p, NodeId x, NodeId y) { return p.op(ops::mul(), {x, y}); }

std::size_t operators(const Graph& graph, const OpDef& def) {
  const auto needed = graph.needed_by_outputs();
  return static_cast<std::size_t>(std::ranges::count_if(graph.ids(), [&](NodeId id) {
    const Node& node = graph.node(id);
    return needed[id.index()] != 0 && node.op() != nullptr && node.op()->def == &def;
  }));
}

std::size_t maps_of_one_chain(const Graph& graph) {
  const auto chains = foldable(graph, FoldWhat::ChannelMaps);
  return chains.size() == 1 ? chains[0].maps.size() : 0;
}

Graph folded(const Graph& graph) {
  auto made = fold_affine(graph, FoldWhat::ChannelMaps);
  INFO((made ? "" : made.error().message));
  REQUIRE(made.ok());
  CHECK(foldable(*made, FoldWhat::ChannelMaps).empty());
  return *std::move(made);
}

}  // namespace

TEST_CASE("A normalisation is folded into a weight that every phase of a transposed layer reads") {
  Programs p;
  const NodeId c = p.op(ops::conv_transpose(), {p.input({1, 2, 3}), p.weight({2, 3, 4})},
                        {{"strides", Ints{2}}, {"pads", Ints{1, 1}}});
  p.output(normalised(p, c, 3));
  const Graph graph = std::move(p).build();
  REQUIRE(graph.meaning(c).sum.terms.size() == 2);
  CHECK(foldable(graph, FoldWhat::BatchNorms).size() == 1);
  CHECK(operators(folded(graph), ops::conv_transpose()) == 1);
}

TEST_CASE("A normalisation is folded into a transposed layer of groups, or of a channel each") {
  for (const Dim inside : {3, 1}) {
    Programs p;
    const Dim groups = 2;
    const NodeId c = p.op(ops::conv_transpose(),
                          {p.input({1, 2 * groups, 3}), p.weight({2 * groups, inside, 4})},
                          {{"strides", Ints{2}}, {"group", groups}});
    p.output(normalised(p, c, groups * inside));
    CHECK(maps_of_one_chain(std::move(p).build()) == 1);
  }
}

TEST_CASE("A product and a sum with constants are folded into a convolution and its bias") {
  Programs p;
  const NodeId scaled = mul(p, p.conv(p.input({1, 3, 4, 4}), 5), p.weight({1, 5, 1, 1}));
  p.output(p.add(p.weight({5, 1, 1}), scaled));
  const Graph graph = std::move(p).build();
  CHECK(maps_of_one_chain(graph) == 2);
  CHECK(foldable(graph, FoldWhat::BatchNorms).empty());
  const Graph made = folded(graph);
  const Node& last = made.node(made.outputs()[0]);
  CHECK(last.op()->def == &ops::conv());
  CHECK(last.operands.size() == 3);
}

TEST_CASE("A chain behind a product of matrices becomes one weight and one sum") {
  Programs p;
  const NodeId sum = p.add(p.matmul(p.input({2, 4, 3}), 5), p.weight({5}));
  p.output(mul(p, mul(p, sum, p.number(0.5F)), p.weight({5})));
  const Graph graph = std::move(p).build();
  CHECK(maps_of_one_chain(graph) == 3);
  const Graph made = folded(graph);
  const Node& last = made.node(made.outputs()[0]);
  CHECK(last.op()->def == &ops::add());
  CHECK(made.node(last.operands[0]).op()->def == &ops::mat_mul());
}

TEST_CASE("A product of matrices and its bias alone are left as they are") {
  Programs p;
  p.output(p.add(p.matmul(p.input({4, 3}), 5), p.weight({5})));
  CHECK(foldable(std::move(p).build(), FoldWhat::ChannelMaps).empty());
}

TEST_CASE("What differs along another axis than the weight's, or along two, is not folded") {
  for (const Shape& shape : std::vector<Shape>{{4, 1}, {1, 1, 1, 4}, {5, 4, 1}, {1, 5, 4, 4}}) {
    Programs p;
    p.output(mul(p, p.conv(p.input({1, 3, 4, 4}), 5), p.weight(shape)));
    CHECK(foldable(std::move(p).build(), FoldWhat::ChannelMaps).empty());
  }
}

TEST_CASE("A sum with itself, with an input or of other shape is no map along the channels") {
  Programs p;
  const NodeId c = p.conv(p.input({1, 3, 4, 4}), 5);
  const NodeId twice = p.add(c, c);
  p.output(p.add(twice, p.input({5, 1, 1})));
  const NodeId of_one = p.conv(p.input({1, 3, 1, 1}), 5);
  p.output(mul(p, of_one, p.weight({1, 5, 6, 6})));
  CHECK(foldable(std::move(p).build(), FoldWhat::ChannelMaps).empty());
}

TEST_CASE("A chain ends where something else reads it, and where the axis changes") {
  Programs p;
  const NodeId c = p.matmul(p.input({1, 3, 5}), 5);
  const NodeId read_twice = mul(p, c, p.weight({5}));
  const NodeId shifted = p.add(read_twice, p.weight({5}));
  p.output(shifted);
  p.output(read_twice);
  p.output(mul(p, mul(p, p.matmul(p.input({1, 5, 3}), 5), p.weight({5})), p.weight({5, 1})));
  const Graph graph = std::move(p).build();
  const auto chains = foldable(graph, FoldWhat::ChannelMaps);
  REQUIRE(chains.size() == 2);
  CHECK(chains[0].maps == std::vector<NodeId>{read_twice});
  CHECK(chains[1].maps.size() == 1);
}

TEST_CASE("Beside others every part of a chain is folded by itself") {
  Programs p;
  const NodeId c = p.conv(p.input({1, 3, 4, 4}), 5);
  const NodeId scaled = mul(p, c, p.weight({5, 1, 1}));
  p.output(scaled);
  p.output(p.add(scaled, p.weight({5, 1, 1})));
  p.output(c);
  const auto made = fold_affine(std::move(p).build(), FoldWhat::ChannelMaps, FoldBeside::Others);
  REQUIRE(made.ok());
  CHECK(operators(*made, ops::conv()) == 3);
}
