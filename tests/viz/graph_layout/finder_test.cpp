#include "viz/graph_layout/finder.h"

#include <catch2/catch.hpp>

#include "viz/graph_layout/walk.h"

namespace pet::viz {
namespace {

Finder some() {
  return Finder({{NodeId(3), {"layer1/Conv_0", "Conv"}},
                 {NodeId(5), {"layer1/Relu", "Relu"}},
                 {NodeId(8), {"CONV2", "MatMul"}}});
}

TEST_CASE("What was typed is found in any name, in capitals or not, and the search goes round") {
  Finder finder = some();
  CHECK(finder.in_words().empty());
  CHECK_FALSE(finder.step(1));
  finder.look_for("conv");
  CHECK(finder.in_words() == "2 found");
  CHECK(finder.step(1) == NodeId(3));
  CHECK(finder.step(1) == NodeId(8));
  CHECK(finder.in_words() == "2 of 2");
  CHECK(finder.step(1) == NodeId(3));
  CHECK(finder.step(-1) == NodeId(8));
  finder.look_for("relu");
  CHECK(finder.step(-1) == NodeId(5));
  CHECK(finder.in_words() == "1 of 1");
}

TEST_CASE("What stands in no name is not found") {
  Finder finder = some();
  finder.look_for("gemm");
  CHECK(finder.in_words() == "not found");
  CHECK_FALSE(finder.step(1));
}

TEST_CASE("One walks along edges up and down, and within a layer left and right") {
  // 0 above 1 and 2, both above 3.
  const std::vector<Rect> places{
      {40, 0, 20, 10}, {0, 50, 20, 10}, {90, 50, 20, 10}, {40, 99, 20, 10}};
  const std::vector<LayoutEdge> edges{{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  CHECK(neighbour(places, edges, 0, Direction::Down) == 1u);
  CHECK(neighbour(places, edges, 1, Direction::Right) == 2u);
  CHECK(neighbour(places, edges, 2, Direction::Left) == 1u);
  CHECK(neighbour(places, edges, 2, Direction::Down) == 3u);
  CHECK(neighbour(places, edges, 3, Direction::Up) == 1u);
  CHECK_FALSE(neighbour(places, edges, 0, Direction::Up));
  CHECK_FALSE(neighbour(places, edges, 2, Direction::Right));
}

}  // namespace
}  // namespace pet::viz
