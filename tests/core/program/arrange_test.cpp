#include "core/program/passes/arrange.h"

#include <array>
#include <catch2/catch.hpp>
#include <set>

#include "core/ops/ops.h"
#include "core/program/difference.h"
#include "core/program/substitute.h"
#include "tests/support/sketch.h"
#include "verify/pairs/bitmap_checker.h"

using namespace pet;
using pet::test::Sketch;

namespace {

std::size_t transposes(const Graph& graph) {
  std::size_t n = 0;
  for (const Node& node : graph.nodes())
    if (node.op() != nullptr && node.op()->def == &ops::transpose()) ++n;
  return n;
}

// Everything in the new program became of something.
void check_provenance(const Arranged& made) {
  std::set<NodeId> after;
  for (const Became& one : made.became) {
    CHECK(one.before.size() == 1);
    after.insert(one.after.begin(), one.after.end());
  }
  CHECK(after.size() == made.graph.nodes().size());
}

Graph arranged(const Graph& graph) {
  auto made = arrange(graph, Borders::Fixed);
  REQUIRE(made.ok());
  check_provenance(*made);
  return made->graph;
}

bool equal(const Graph& a, const Graph& b) {
  BitmapChecker checker;
  return checker.check(a, b, {}).outcome == Outcome::Equivalent;
}

}  // namespace

TEST_CASE("Transposes move through pointwise operators and sums, and cancel") {
  Sketch s;
  const NodeId x = s.input("x", {2, 3, 4, 5});
  const NodeId first = s.transpose(s.op("Relu", {s.transpose(x, {0, 2, 1, 3})}), {0, 2, 1, 3});
  const NodeId bias = s.ramp({3, 1, 1});
  const NodeId shifted = s.op("Add", {s.transpose(first, {0, 2, 1, 3}),
                                      s.transpose(s.op("Add", {first, bias}), {0, 2, 1, 3})});
  const Graph before = std::move(s).finish({s.transpose(shifted, {0, 2, 1, 3})});
  CHECK(transposes(before) == 5);
  const Graph after = arranged(before);
  CHECK(transposes(after) == 0);
  CHECK(equal(before, after));
}

TEST_CASE("Operators that name axes run in the other order") {
  Sketch s;
  const NodeId x = s.input("x", {1, 3, 4, 5});
  const NodeId y = s.transpose(s.op("Relu", {x}), {0, 2, 3, 1});
  const NodeId both = s.concat({y, s.op("Pad", {{"pads", Ints{0, 0, 0, 1, 0, 0, 0, 2}}}, {y})}, 3);
  const NodeId mean = s.op("ReduceMean", {{"axes", Ints{1, -2}}}, {both});
  const NodeId soft = s.op("Softmax", {{"axis", std::int64_t{-1}}}, {mean});
  const NodeId back = s.transpose(soft, {0, 3, 1, 2});
  const Graph before =
      std::move(s).finish({back, s.op("GlobalAveragePool", {s.transpose(both, {0, 3, 1, 2})})});
  const Graph after = arranged(before);
  CHECK(transposes(before) == 3);
  CHECK(transposes(after) == 0);
  CHECK(equal(before, after));
}

TEST_CASE("A transpose that only moves unit axes is a reshape, and reshapes of reshapes are one") {
  Sketch s;
  const NodeId x = s.input("x", {1, 6, 4});
  const NodeId y = s.reshape(s.transpose(x, {1, 0, 2}), {3, 2, 4});
  const Graph before = std::move(s).finish({s.op("Relu", {s.reshape(y, {24})})});
  const Graph after = arranged(before);
  CHECK(transposes(after) == 0);
  std::size_t reshapes = 0;
  for (const Node& node : after.nodes())
    if (node.op() != nullptr && node.op()->def == &ops::reshape()) ++reshapes;
  CHECK(reshapes == 1);
  CHECK(equal(before, after));
}

TEST_CASE("Axes of one position hinder nobody") {
  Sketch s;
  const NodeId x = s.input("x", {1, 3, 4, 5, 1});
  const NodeId y = s.transpose(x, {0, 2, 1, 3, 4});
  const NodeId z = s.op("LeakyRelu", {s.op("Relu", {y})});
  const NodeId sum = s.op("Add", {z, s.op("Mul", {z, s.ramp({1, 1, 3, 1, 1})})});
  const Graph before = std::move(s).finish({s.transpose(sum, {0, 2, 1, 3, 4})});
  const Graph after = arranged(before);
  CHECK(transposes(after) == 0);
  CHECK(equal(before, after));
}

TEST_CASE("What needs the old order gets it, once") {
  Sketch s;
  const NodeId x = s.input("x", {2, 3, 4});
  const NodeId y = s.op("Relu", {s.transpose(x, {2, 0, 1})});
  const NodeId back = s.transpose(y, {1, 2, 0});
  const NodeId a = s.op("MatMul", {back, s.ramp({4, 5})});
  const NodeId b = s.op("MatMul", {back, s.ramp({4, 6})});
  const Graph before = std::move(s).finish({a, b});
  const Graph after = arranged(before);
  CHECK(transposes(after) <= 2);
  CHECK(equal(before, after));
}

TEST_CASE("With free borders a piece keeps the orders that it works in") {
  Sketch s;
  const NodeId x = s.input("x", {2, 3, 4});
  const NodeId y = s.transpose(s.op("Relu", {x}), {1, 0, 2});
  const NodeId z = s.op("MatMul", {y, s.ramp({4, 4})});
  const Graph graph = std::move(s).finish({s.op("Relu", {s.transpose(z, {2, 1, 0})})});
  const auto free = arrange(graph, Borders::Free);
  REQUIRE(free.ok());
  CHECK(transposes(free->graph) == 0);
  CHECK(free->inputs == std::vector<AxisOrder>{{1, 0, 2}});
  CHECK(free->outputs == std::vector<AxisOrder>{{2, 1, 0}});
  CHECK(free->graph.node(free->graph.inputs()[0]).type.shape == Shape{3, 2, 4});
}

TEST_CASE("What was replaced and nothing else is found as the difference") {
  GraphBuilder b;
  const NodeId in = b.add_input("x", float_tensor({1, 2, 4, 4}));
  const NodeId r = *b.add(ops::relu(), {}, {in}, "r");
  const NodeId t = *b.add(ops::tanh(), {}, {r}, "t");
  const NodeId e = *b.add(ops::exp(), {}, {t}, "e");
  b.add_output(e);
  const Graph source = std::move(b).build();
  Sketch other;
  const NodeId from = other.input("in0", {1, 2, 4, 4});
  const Graph mutant = std::move(other).finish(
      {other.op("Tanh", {other.transpose(other.transpose(from, {0, 1, 3, 2}), {0, 1, 3, 2})})});
  const std::array<NodeId, 1> inputs = {r};
  const std::array<NodeId, 1> outputs = {t};
  const Substitute substitute{&mutant, inputs, outputs};
  const auto whole = with_replaced(source, std::span(&substitute, 1));
  REQUIRE(whole.ok());
  const auto found = differences(source, *whole, "test");
  REQUIRE(found.ok());
  REQUIRE(found->size() == 1);
  CHECK((*found)[0].inputs == std::vector<NodeId>{r});
  CHECK((*found)[0].outputs == std::vector<NodeId>{t});
  CHECK((*found)[0].program.digest() == mutant.digest());
  const auto none = differences(source, source, "test");
  REQUIRE(none.ok());
  CHECK(none->empty());
}
