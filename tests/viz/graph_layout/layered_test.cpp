#include "viz/graph_layout/layered.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/util/rng.h"

namespace pet::viz {
namespace {

const LayoutNode kBox{60, 20};

bool overlap(const Point& a, const LayoutNode& of_a, const Point& b, const LayoutNode& of_b) {
  return std::abs(a.x - b.x) < (of_a.width + of_b.width) / 2 - 1e-6 &&
         std::abs(a.y - b.y) < (of_a.height + of_b.height) / 2 - 1e-6;
}

TEST_CASE("A chain is straight, and each link stands below the one before") {
  const Layout layout = layered_layout({kBox, kBox, kBox}, {{0, 1}, {1, 2}});
  CHECK(layout.centres[0].x == layout.centres[2].x);
  CHECK(layout.centres[0].y < layout.centres[1].y);
  CHECK(layout.centres[1].y < layout.centres[2].y);
  CHECK(layout.width == 60);
}

TEST_CASE("A diamond is symmetric, and an edge that skips a layer goes round what is in between") {
  const Layout diamond = layered_layout({kBox, kBox, kBox, kBox}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  CHECK(diamond.centres[0].x == Approx(diamond.centres[3].x));
  CHECK(diamond.centres[1].y == diamond.centres[2].y);
  const Layout skip = layered_layout({kBox, kBox, kBox}, {{0, 1}, {1, 2}, {0, 2}});
  REQUIRE(skip.routes[2].size() == 3);
  CHECK(std::abs(skip.routes[2][1].x - skip.centres[1].x) > kBox.width / 2);
}

TEST_CASE(
    "In random graphs no two nodes overlap, edges go down, and the same graph is laid out the "
    "same") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng random(seed);
    std::vector<LayoutNode> nodes;
    std::vector<LayoutEdge> edges;
    const std::size_t number = 2 + random.below(60);
    for (std::size_t i = 0; i < number; ++i) {
      nodes.push_back({20 + 100 * random.uniform(), 10 + 30 * random.uniform()});
      for (std::uint64_t k = random.below(3); i > 0 && k-- > 0;)
        edges.push_back({random.below(i), i});
    }
    const Layout layout = layered_layout(nodes, edges);
    for (std::size_t i = 0; i < number; ++i) {
      CHECK(layout.centres[i].x - nodes[i].width / 2 >= -1e-6);
      CHECK(layout.centres[i].x + nodes[i].width / 2 <= layout.width + 1e-6);
      for (std::size_t j = 0; j < i; ++j)
        CHECK_FALSE(overlap(layout.centres[i], nodes[i], layout.centres[j], nodes[j]));
    }
    for (const auto& route : layout.routes)
      for (std::size_t i = 1; i < route.size(); ++i) CHECK(route[i - 1].y < route[i].y);
    const Layout again = layered_layout(nodes, edges);
    for (std::size_t i = 0; i < number; ++i) CHECK(layout.centres[i].x == again.centres[i].x);
  }
}

TEST_CASE("A chain of 100,000 nodes, and one with an edge past all of it, are laid out") {
  std::vector<LayoutNode> nodes(100'000, kBox);
  std::vector<LayoutEdge> edges;
  for (std::size_t i = 1; i < nodes.size(); ++i) edges.push_back({i - 1, i});
  edges.push_back({0, nodes.size() - 1});
  const Layout layout = layered_layout(nodes, edges);
  CHECK(layout.centres.back().y > layout.centres.front().y);
  CHECK(layered_layout({}, {}).centres.empty());
}

}  // namespace
}  // namespace pet::viz
