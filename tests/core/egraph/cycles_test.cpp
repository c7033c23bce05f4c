// Values that would need themselves.
#include "core/egraph/cycles.h"

#include <catch2/catch.hpp>

#include "core/egraph/extract/problem.h"
#include "core/util/rng.h"
#include "tests/core/egraph/abstract.h"
#include "tests/support/seeded.h"

using namespace pet;
using namespace pet::egraph;
using test::add;

namespace {

// Classes and the nodes that are in use, as an extractor sees them, costs apart.
Problem problem_of(const EGraph& graph, const std::vector<ENodeId>& roots) {
  Problem out;
  std::map<ClassId, Number> numbers;
  for (const ClassId id : graph.classes()) numbers.emplace(id, static_cast<Number>(numbers.size()));
  for (const ClassId id : graph.classes()) {
    auto& nodes = out.classes.emplace_back();
    for (const ENodeId node : graph.at(id).nodes) {
      if (graph.node(node).is_banned) continue;
      nodes.push_back(static_cast<Number>(out.nodes.size()));
      auto& one = out.nodes.emplace_back();
      for (const ClassId operand : graph.operands(node))
        one.children.push_back(numbers.at(operand));
    }
  }
  for (const ENodeId root : roots) out.roots.push_back(numbers.at(graph.class_of(root)));
  return out;
}

bool any_needs_itself(const EGraph& graph) {
  for (const ClassId id : graph.classes())
    for (const ENodeId node : graph.at(id).nodes)
      if (!graph.node(node).is_banned)
        for (const ClassId operand : graph.operands(node))
          if (reaches(graph, operand, id)) return true;
  return false;
}

TEST_CASE("What undoes itself is its operand, and is not computed from itself") {
  EGraph graph;
  const ENodeId x = add(graph, 'x', {});
  const ENodeId once = add(graph, 't', {x}), twice = add(graph, 't', {once});
  graph.merge(twice, x, 0);
  graph.rebuild();
  CHECK(any_needs_itself(graph));
  CHECK(break_cycles(graph) == 1);
  CHECK_FALSE(any_needs_itself(graph));
  CHECK(graph.node(twice).is_banned);  // the one that was made last
  CHECK_FALSE(graph.node(once).is_banned);
  CHECK(break_cycles(graph) == 0);
}

TEST_CASE("Random e-graphs keep a program for every class") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  std::size_t banned = 0;
  for (int round = 0; round < 1000; ++round) {
    EGraph graph;
    std::vector<ENodeId> nodes;
    const auto any = [&] { return nodes[rng.below(nodes.size())]; };
    for (int step = 0; step < 40; ++step) {
      const auto arity = nodes.empty() ? 0 : rng.between(0, 2);
      std::vector<ENodeId> operands;
      for (std::int64_t i = 0; i < arity; ++i) operands.push_back(any());
      nodes.push_back(add(graph, static_cast<char>('a' + 3 * arity + rng.between(0, 2)), operands));
      if (step % 3 == 2) graph.merge(any(), any(), 0);
      if (step % 7 == 6) {
        graph.rebuild();
        banned += break_cycles(graph);
      }
    }
    graph.rebuild();
    banned += break_cycles(graph);
    REQUIRE_FALSE(any_needs_itself(graph));
    REQUIRE(check(problem_of(graph, nodes)).ok());
  }
  CHECK(banned > 100);
}

}  // namespace
