#include "core/search/excerpt.h"

#include <catch2/catch.hpp>

#include "core/program/subprogram.h"
#include "tests/support/sketch.h"
#include "verify/pairs/bitmap_checker.h"

using namespace pet;
using pet::test::Sketch;

namespace {

const Attrs kPadded{{"pads", Ints{1, 1, 1, 1}}};

// Convolutions of four channels, with a way around the second one.
struct Block {
  Graph graph;
  NodeId first, second, sum, third;
};

Block block() {
  Sketch s;
  Block out;
  const NodeId x = s.input("x", {1, 4, 6, 6});
  const auto conv = [&](NodeId data, float scale) {
    return s.op("Conv", kPadded, {data, s.ramp({4, 4, 3, 3}, scale)});
  };
  out.first = s.op("Relu", {conv(x, 0.25f)});
  out.second = conv(out.first, 0.5f);
  out.sum = s.op("Add", {out.second, out.first});
  out.third = conv(s.op("Relu", {out.sum}), 0.75f);
  out.graph = std::move(s).finish({out.third});
  return out;
}

std::size_t count_of(const Graph& graph, std::string_view name) {
  std::size_t n = 0;
  for (const Node& node : graph.nodes())
    if (node.op() != nullptr && node.op()->def->name == name) ++n;
  return n;
}

// Multiply-adds are few where each channel is for itself.
std::size_t stand_ins_of(const Graph& graph) {
  std::size_t n = 0;
  for (const Node& node : graph.nodes())
    if (node.op() != nullptr && node.op()->def->name == "Conv" && node.op()->integer("group") == 4)
      ++n;
  return n;
}

}  // namespace

TEST_CASE("Neighbours with layouts of their own are stood in for, on every border of an excerpt") {
  const Block b = block();
  const Subprogram place = extract(b.graph, std::span(&b.second, 1));
  const auto excerpt = excerpt_of(b.graph, place, 2);
  CHECK(count_of(excerpt.original, "Conv") == 1 + stand_ins_of(excerpt.original));
  // Before the relu in front, which the sum reads as well, and behind the relu of the sum.
  CHECK(stand_ins_of(excerpt.original) == 2);
  CHECK(count_of(excerpt.original, "Add") == 1);
  // What the subprogram reads and yields is there.
  REQUIRE(excerpt.inputs.size() == 1);
  REQUIRE(excerpt.outputs.size() == 1);
  CHECK(excerpt.original.node(excerpt.outputs[0]).operands[0] == excerpt.inputs[0]);
  // With less around it the borders lie elsewhere, and what is behind them is found all the same.
  const auto close = excerpt_of(b.graph, place, 0);
  CHECK(count_of(close.original, "Add") == 0);
  CHECK(stand_ins_of(close.original) == 2);
}

TEST_CASE("A excerpt for other orders of axes has bare borders") {
  const Block b = block();
  const Subprogram place = extract(b.graph, std::span(&b.second, 1));
  const auto excerpt = movable_excerpt(b.graph, place, 2);
  CHECK(stand_ins_of(excerpt.original) == 0);
  CHECK(count_of(excerpt.original, "Conv") == 1);
}

TEST_CASE("The excerpts that tell what a layout is worth compute the same") {
  const Block b = block();
  const Subprogram place = extract(b.graph, std::span(&b.second, 1));
  const auto excerpts = layout_excerpts(b.graph, place, 2);
  REQUIRE(excerpts.has_value());
  CHECK(stand_ins_of(excerpts->own_layout) == stand_ins_of(excerpts->row_major));
  CHECK(count_of(excerpts->own_layout, "Reshape") == 0);
  CHECK(count_of(excerpts->row_major, "Reshape") == 2 * stand_ins_of(excerpts->row_major));
  CHECK(BitmapChecker().check(excerpts->own_layout, excerpts->row_major, {}).outcome ==
        Outcome::Equivalent);
}

TEST_CASE("Where no neighbour has a layout of its own there is nothing to tell") {
  Sketch s;
  const NodeId x = s.input("x", {2, 3, 4});
  const NodeId product = s.op("MatMul", {x, s.ramp({4, 4}, 0.5f)});
  const Graph graph = std::move(s).finish({s.op("Relu", {product})});
  const Subprogram place = extract(graph, std::span(&product, 1));
  CHECK_FALSE(layout_excerpts(graph, place, 2).has_value());
  CHECK(excerpt_of(graph, place, 2).original.nodes().size() == graph.nodes().size());
}
