#include "core/program/blocks.h"

#include <catch2/catch.hpp>
#include <set>

#include "tests/support/sketch.h"

using namespace pet;
using test::Sketch;

namespace {

constexpr Dim kWidth = 6;

// Two products with weights of their own beside what they read: nine operators.
NodeId layer(Sketch& s, NodeId x, float weights) {
  NodeId y = x;
  for (int i = 0; i < 2; ++i) {
    y = s.op("MatMul", {y, s.ramp({kWidth, kWidth}, weights + static_cast<float>(i))});
    y = s.op("Tanh", {y});
    y = s.op("Neg", {s.op("Relu", {y})});
  }
  return s.op("Add", {y, x});
}

std::vector<std::size_t> places(const std::vector<SubprogramClass>& blocks) {
  std::vector<std::size_t> out;
  for (const SubprogramClass& one : blocks) out.push_back(one.places.size());
  return out;
}

// Every operator with a meaning that is computed of inputs stands in one block.
void check_is_whole(const Graph& program, const std::vector<SubprogramClass>& blocks) {
  std::set<NodeId> seen;
  for (const SubprogramClass& one : blocks) {
    for (const Subprogram& place : one.places) {
      CHECK(place.key == one.representative().key);
      for (const NodeId id : place.nodes) CHECK(seen.insert(id).second);
    }
  }
  const auto depends = program.depends_on_inputs();
  for (const NodeId id : program.ids()) {
    if (program.has_meaning(id) && depends[id.index()] != 0) CHECK(seen.contains(id));
  }
}

TEST_CASE("Layers that differ in the numbers of their weights alone are one class") {
  Sketch s;
  NodeId x = s.op("Tanh", {s.input("x", {kWidth, kWidth})});
  for (int i = 0; i < 5; ++i) x = layer(s, x, static_cast<float>(i + 1));
  const NodeId y = s.op("Sigmoid", {x});
  const Graph program = std::move(s).finish({y});
  const auto blocks = blocks_of(program);
  check_is_whole(program, blocks);
  CHECK(places(blocks) == std::vector<std::size_t>{1, 5, 1});
  for (const Subprogram& place : blocks[1].places) {
    CHECK(place.inputs.size() == 1);
    CHECK(place.outputs.size() == 1);
  }
}

TEST_CASE("Numbers that are no weights tell layers apart, and so do shared weights") {
  for (const bool share : {false, true}) {
    Sketch s;
    NodeId x = s.input("x", {kWidth, kWidth});
    for (int i = 0; i < 4; ++i) {
      const NodeId twice = s.ramp({kWidth, kWidth}, static_cast<float>(2 * i + 1));
      const NodeId other = i < 2 || !share ? s.ramp({kWidth, kWidth}, 0.5F) : twice;
      NodeId y = s.op("MatMul", {x, twice});
      for (int k = 0; k < 8; ++k) y = s.op("Tanh", {y});
      y = s.op("MatMul", {y, other});
      x = s.op("Add", {y, s.op("Mul", {x, s.scalar(share || i < 2 ? 2.0F : 3.0F)})});
    }
    const Graph program = std::move(s).finish({x});
    const auto blocks = blocks_of(program);
    check_is_whole(program, blocks);
    CHECK(places(blocks) == std::vector<std::size_t>{2, 2});
  }
}

TEST_CASE("A program without equal layers is one block, and small ones are none") {
  Sketch s;
  NodeId x = s.input("x", {kWidth, kWidth});
  for (int i = 0; i < 20; ++i) x = s.op("Relu", {s.op("Tanh", {x})});
  x = s.op("Neg", {x});
  const Graph program = std::move(s).finish({x});
  const auto blocks = blocks_of(program);
  check_is_whole(program, blocks);
  // Forty operators of a chain: five windows of eight.
  for (const SubprogramClass& one : blocks)
    if (one.places.size() > 1) CHECK(one.representative().nodes.size() >= kSmallestBlock);

  Sketch t;
  NodeId y = t.input("y", {kWidth, kWidth});
  for (int i = 0; i < 3; ++i) y = t.op("Relu", {t.op("Tanh", {y})});
  CHECK(places(blocks_of(std::move(t).finish({y}))) == std::vector<std::size_t>{1});
}

TEST_CASE("Layers begin where nothing is lost: not between two products") {
  Sketch s;
  NodeId x = s.input("x", {kWidth, kWidth});
  std::vector<NodeId> functions;
  for (int i = 0; i < 6; ++i) {
    x = s.op("MatMul", {x, s.ramp({kWidth, kWidth}, static_cast<float>(i + 1))});
    for (int k = 0; k < 4; ++k) x = s.op("Tanh", {s.op("Neg", {x})});
    functions.push_back(x);
    x = s.op("MatMul", {x, s.ramp({kWidth, kWidth}, static_cast<float>(i + 20))});
  }
  const Graph program = std::move(s).finish({x});
  const auto blocks = blocks_of(program);
  check_is_whole(program, blocks);
  REQUIRE(blocks.size() == 3);
  REQUIRE(places(blocks) == std::vector<std::size_t>{1, 5, 1});
  for (const Subprogram& place : blocks[1].places)
    CHECK(program.node(place.inputs.front()).op()->def->name == "Tanh");
}

TEST_CASE("What stands between layers and has no meaning is in no block") {
  Sketch s;
  NodeId x = s.input("x", {kWidth, kWidth});
  for (int i = 0; i < 3; ++i) {
    x = layer(s, x, static_cast<float>(i + 1));
    if (i == 1) x = s.opaque("Unheard", {x}, float_tensor({kWidth, kWidth}));
  }
  const Graph program = std::move(s).finish({x});
  const auto blocks = blocks_of(program);
  check_is_whole(program, blocks);
  for (const SubprogramClass& one : blocks)
    for (const Subprogram& place : one.places)
      for (const NodeId id : place.nodes) CHECK(program.has_meaning(id));
}

TEST_CASE("What constants alone decide belongs to the block that reads it, or to none") {
  Sketch s;
  NodeId x = s.input("x", {kWidth, kWidth});
  const NodeId shared = s.op("Transpose", {{"perm", Ints{1, 0}}}, {s.ramp({kWidth, kWidth})});
  for (int i = 0; i < 2; ++i) {
    const NodeId own = s.op("Transpose", {{"perm", Ints{1, 0}}},
                            {s.ramp({kWidth, kWidth}, static_cast<float>(i + 2))});
    NodeId y = layer(s, x, static_cast<float>(i + 5));
    x = s.op("Add", {s.op("MatMul", {y, own}), s.op("MatMul", {x, shared})});
  }
  const Graph program = std::move(s).finish({x});
  const auto blocks = blocks_of(program);
  check_is_whole(program, blocks);
  REQUIRE(places(blocks) == std::vector<std::size_t>{2});
  const Subprogram& first = blocks[0].representative();
  CHECK(first.inputs.size() == 2);
  CHECK(std::ranges::find(first.inputs, shared) != first.inputs.end());
}

}  // namespace
