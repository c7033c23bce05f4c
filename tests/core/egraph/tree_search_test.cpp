// Which rules the tree search takes, and when it ends.
#include "core/egraph/tree_search.h"

#include <catch2/catch.hpp>

#include "core/egraph/extract/greedy.h"
#include "tests/core/egraph/matrix_rules.h"
#include "tests/support/sketch.h"

using namespace pet;
using namespace pet::egraph;
using test::Sketch;

namespace {

Graph two_sums_of_products() {
  Sketch s;
  const NodeId x = s.input("x", {32, 48}), y = s.input("y", {32, 48});
  std::vector<NodeId> sums;
  for (const NodeId data : {x, y}) {
    const NodeId a = s.op("MatMul", {data, s.ramp({48, 40}, 1.0F / 1024)});
    const NodeId b = s.op("MatMul", {data, s.ramp({48, 40}, 1.0F / 512)});
    sums.push_back(s.op("Add", {a, b}));
  }
  return std::move(s).finish(sums);
}

struct Grown {
  std::vector<NodeReached> reached;
  std::vector<ActionTaken> taken;
  std::vector<NodeUpdated> updated;
  double cost = 0;
  SaturationEnd end = SaturationEnd::Saturated;
  std::size_t nodes = 0;
};

double cost_of(const Program& program) {
  EstimatedCosts operators;
  const Costs costs(operators);
  const auto extraction = extraction_of(program, costs);
  return *cost_of_choice(extraction.problem, extract_dag(extraction.problem));
}

Grown grown(const Graph& original, rules::Rewriter& rewriter, TreeLimits tree, std::uint64_t seed,
            SaturationLimits limits = {.nodes = 2000}) {
  Grown out;
  TreeHooks hooks;
  hooks.reached = [&](const NodeReached& e) { out.reached.push_back(e); };
  hooks.updated = [&](const NodeUpdated& e) { out.updated.push_back(e); };
  hooks.taken = [&](const ActionTaken& e) { out.taken.push_back(e); };
  TreeSearch search(program_of(original), rewriter, {}, limits, tree, seed, cost_of, hooks);
  for (int i = 0; !search.is_over(); ++i) {
    REQUIRE(i < 100'000);
    search.step();
  }
  out.cost = cost_of(search.program());
  out.end = *search.end();
  out.nodes = search.program().graph.node_count();
  return out;
}

TEST_CASE("A rule that makes the program cheaper is taken, until nothing changes any more") {
  const Graph original = two_sums_of_products();
  for (const bool reuse : {false, true}) {
    auto rewriter = rules::Rewriter({test::associated(), test::factored()});
    TreeLimits tree{.budget = 8};
    tree.reuse = reuse;
    const auto found = grown(original, rewriter, tree, 1);
    CHECK(found.end == SaturationEnd::Saturated);
    CHECK(found.cost < 0.6 * cost_of(program_of(original)));
    REQUIRE(found.taken.size() == 1);
    CHECK(found.taken.front().rule == 1);
    CHECK(found.taken.front().mean > 0);
  }
}

TEST_CASE("The same seed grows the same tree, another one another") {
  const Graph original = two_sums_of_products();
  const auto reached = [&](std::uint64_t seed) {
    auto rewriter = rules::Rewriter({test::factored(), test::exchanged(), test::summed_again()});
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (const NodeReached& e : grown(original, rewriter, {.budget = 16}, seed).reached)
      out.emplace_back(e.parent, e.rule);
    return out;
  };
  CHECK(reached(7) == reached(7));
  std::set<std::vector<std::pair<std::size_t, std::size_t>>> different;
  for (std::uint64_t seed = 1; seed < 9; ++seed) different.insert(reached(seed));
  CHECK(different.size() > 1);
}

TEST_CASE("What changes nothing is told once and never entered") {
  const Graph original = two_sums_of_products();
  auto rewriter = rules::Rewriter({test::factored()});
  const auto found = grown(original, rewriter, {.budget = 64}, 1);
  std::set<std::size_t> saturated;
  for (const NodeReached& e : found.reached)
    if (e.is_saturated) saturated.insert(e.node);
  CHECK_FALSE(saturated.empty());
  for (const NodeUpdated& e : found.updated) CHECK_FALSE(saturated.contains(e.node));
  for (const NodeReached& e : found.reached) CHECK_FALSE(saturated.contains(e.parent));
}

TEST_CASE("A full e-graph ends the search") {
  const Graph original = two_sums_of_products();
  auto rewriter = rules::Rewriter({test::exchanged(), test::factored()});
  SaturationLimits limits;
  limits.nodes = program_of(original).graph.node_count() + 1;
  const auto found = grown(original, rewriter, {.budget = 4}, 1, limits);
  CHECK(found.end == SaturationEnd::Nodes);
}

}  // namespace
