// Classes, congruence, and the reasons for both.
#include "core/egraph/egraph.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "core/util/rng.h"
#include "tests/core/egraph/abstract.h"
#include "tests/support/seeded.h"

using namespace pet;
using namespace pet::egraph;
using test::add;

namespace {

TEST_CASE("Equal operators over equal classes are one node") {
  EGraph graph;
  const ENodeId x = add(graph, 'x', {}), y = add(graph, 'y', {});
  const ENodeId fx = add(graph, 'f', {x}), fy = add(graph, 'f', {y});
  CHECK(add(graph, 'f', {x}) == fx);
  CHECK(graph.class_of(fx) != graph.class_of(fy));
  CHECK(graph.merge(x, y, 0));
  graph.rebuild();
  CHECK(graph.class_of(fx) == graph.class_of(fy));
  CHECK(graph.class_count() == 2);
  CHECK(graph.node_count() == 3);  // x, y and one f
  CHECK_FALSE(graph.merge(x, y, 1));
}

TEST_CASE("Classes of different types never become one") {
  EGraph graph;
  const ENodeId a = graph.add(test::letter('a'), {}, float_tensor({2}), kOriginal);
  const ENodeId b = graph.add(test::letter('b'), {}, float_tensor({3}), kOriginal);
  CHECK_FALSE(graph.merge(a, b, 0));
  CHECK(graph.class_of(a) != graph.class_of(b));
}

TEST_CASE("A copy of an e-graph goes its own way") {
  EGraph graph;
  const ENodeId a = add(graph, 'a', {}), b = add(graph, 'b', {});
  EGraph copy = graph;
  copy.merge(a, b, 0);
  copy.rebuild();
  add(copy, 'c', {a});
  CHECK(graph.class_of(a) != graph.class_of(b));
  CHECK(graph.class_count() == 2);
}

// Which of the terms are equal, found the long way: every pair again until nothing changes.
class Naive {
 public:
  std::size_t add(char name, std::vector<std::size_t> operands) {
    terms_.push_back({name, std::move(operands)});
    of_.push_back(of_.size());
    return of_.size() - 1;
  }
  void merge(std::size_t a, std::size_t b) { rename(of_[a], of_[b]); }
  void close() {
    for (bool changed = true; std::exchange(changed, false);)
      for (std::size_t a = 0; a < terms_.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
          if (of_[a] != of_[b] && are_congruent(terms_[a], terms_[b])) {
            merge(a, b);
            changed = true;
          }
  }
  bool are_equal(std::size_t a, std::size_t b) const { return of_[a] == of_[b]; }

 private:
  struct Term {
    char name;
    std::vector<std::size_t> operands;
  };
  bool are_congruent(const Term& a, const Term& b) const {
    if (a.name != b.name || a.operands.size() != b.operands.size()) return false;
    for (std::size_t i = 0; i < a.operands.size(); ++i)
      if (of_[a.operands[i]] != of_[b.operands[i]]) return false;
    return true;
  }
  void rename(std::size_t from, std::size_t to) {
    for (std::size_t& one : of_)
      if (one == from) one = to;
  }
  std::vector<Term> terms_;
  std::vector<std::size_t> of_;
};

// Whether the reasons between two nodes say that they are equal: each is a merge that was made, or
// a congruence of what was shown before.
bool is_explained(const EGraph& graph, ENodeId a, ENodeId b,
                  const std::vector<std::pair<ENodeId, ENodeId>>& merges,
                  std::set<std::pair<ENodeId, ENodeId>>& open) {
  if (a == b) return true;
  if (!open.emplace(a, b).second) return false;  // it would rest on itself
  std::multimap<ENodeId, EGraph::Step> steps;
  for (const EGraph::Step& step : graph.why_equal(a, b)) {
    steps.emplace(step.a, step);
    steps.emplace(step.b, step);
    if (step.by != kCongruence) {
      const auto& merge = merges[step.by];
      if (merge != std::pair(step.a, step.b) && merge != std::pair(step.b, step.a)) return false;
      continue;
    }
    const ENode &one = graph.node(step.a), &other = graph.node(step.b);
    if (one.what != other.what || one.operands.size() != other.operands.size()) return false;
    for (std::size_t i = 0; i < one.operands.size(); ++i)
      if (!is_explained(graph, ENodeId(one.operands[i].index()), ENodeId(other.operands[i].index()),
                        merges, open))
        return false;
  }
  // The steps lead from one to the other.
  std::set<ENodeId> reached = {a};
  for (bool more = true; std::exchange(more, false);)
    for (const auto& [from, step] : steps)
      if (reached.contains(step.a) != reached.contains(step.b)) {
        reached.insert(step.a);
        reached.insert(step.b);
        more = true;
      }
  open.erase({a, b});
  return reached.contains(b);
}

TEST_CASE("Random e-graphs are closed as the naive closure is, and say why") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  for (int round = 0; round < 2000; ++round) {
    EGraph graph;
    Naive naive;
    std::vector<ENodeId> nodes;
    std::vector<std::size_t> terms;
    std::vector<std::pair<ENodeId, ENodeId>> merges;
    const auto any = [&] {
      return static_cast<std::size_t>(rng.between(0, Dim(nodes.size()) - 1));
    };
    for (int step = 0; step < 30; ++step) {
      if (nodes.empty() || rng.between(0, 2) > 0) {
        const auto arity = nodes.empty() ? 0 : rng.between(0, 2);
        std::vector<ENodeId> operands;
        std::vector<std::size_t> of;
        for (Dim i = 0; i < arity; ++i) {
          const std::size_t one = any();
          operands.push_back(nodes[one]);
          of.push_back(terms[one]);
        }
        const char name = static_cast<char>("abc"[arity] + 3 * rng.between(0, 1));
        nodes.push_back(add(graph, name, operands));
        terms.push_back(naive.add(name, of));
      } else {
        const std::size_t a = any(), b = any();
        merges.emplace_back(nodes[a], nodes[b]);
        graph.merge(nodes[a], nodes[b], merges.size() - 1);
        naive.merge(terms[a], terms[b]);
        if (rng.between(0, 1) == 0) graph.rebuild();
      }
    }
    graph.rebuild();
    naive.close();
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const bool equal = graph.class_of(nodes[a]) == graph.class_of(nodes[b]);
        REQUIRE(equal == naive.are_equal(terms[a], terms[b]));
        std::set<std::pair<ENodeId, ENodeId>> open;
        if (equal) REQUIRE(is_explained(graph, nodes[a], nodes[b], merges, open));
      }
    }
    std::size_t counted = 0;
    for (const ClassId id : graph.classes()) counted += graph.at(id).nodes.size();
    REQUIRE(counted == graph.node_count());
    REQUIRE(graph.classes().size() == graph.class_count());
  }
}

}  // namespace
