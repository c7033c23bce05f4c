#include "core/program/linear_sets.h"

#include <catch2/catch.hpp>

#include "core/util/rng.h"
#include "tests/support/sketch.h"

namespace pet {
namespace {

using test::Sketch;

TEST_CASE(
    "A path that goes through something non-linear and comes back cuts the set that it left") {
  Sketch s;
  const NodeId x = s.input("x", {2, 3});
  const NodeId a = s.op("Add", {x, x});
  const NodeId r = s.op("Relu", {a});
  const NodeId b = s.op("Add", {r, r});
  const NodeId y = s.op("Add", {a, b});
  const Graph graph = std::move(s).finish({y});
  const auto sets = linear_sets(graph);
  CHECK(sets[a.index()] == 0U);
  CHECK_FALSE(sets[r.index()]);
  CHECK(sets[b.index()] == 1U);
  CHECK(sets[y.index()] == 1U);
}

// Drawn as one node each, sets make no cycle: no path leaves a set and comes back.
TEST_CASE("In random programs every set is connected by paths inside of it alone") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng random(seed);
    Sketch s;
    std::vector<NodeId> values = {s.input("x", {2, 3})};
    for (int i = 0; i < 30; ++i) {
      const NodeId a = values[random.below(values.size())], b = values[random.below(values.size())];
      values.push_back(random.below(3) == 0 ? s.op("Relu", {a}) : s.op("Add", {a, b}));
    }
    const Graph graph = std::move(s).finish({values.back()});
    const auto sets = linear_sets(graph);
    // By node: the sets that a path to it has left.
    std::vector<std::vector<char>> left(graph.nodes().size(),
                                        std::vector<char>(graph.nodes().size(), 0));
    for (const NodeId id : graph.ids()) {
      const auto own = sets[id.index()];
      for (const NodeId operand : graph.node(id).operands) {
        const auto theirs = sets[operand.index()];
        for (std::size_t k = 0; k < left.size(); ++k)
          if (left[operand.index()][k] != 0) left[id.index()][k] = 1;
        if (theirs && theirs != own) left[id.index()][*theirs] = 1;
      }
      if (own) CHECK(left[id.index()][*own] == 0);
    }
  }
}

}  // namespace
}  // namespace pet
