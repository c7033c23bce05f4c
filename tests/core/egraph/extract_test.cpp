// Extractors: what they choose is a program, none beats the best there is, and each is as good as
// it says.
#include <catch2/catch.hpp>

#include "core/egraph/extract/greedy.h"
#include "core/egraph/extract/ilp.h"
#include "core/egraph/extract/reduce.h"
#include "tests/core/egraph/random_problem.h"
#include "tests/support/seeded.h"

using namespace pet;
using namespace pet::egraph;

namespace {

Problem::Node node(double cost, std::vector<Number> children) {
  return {cost, std::move(children)};
}

// One node a class.
Problem chain(std::vector<Problem::Node> nodes) {
  Problem out;
  for (Number i = 0; i < nodes.size(); ++i) out.classes.push_back({i});
  out.nodes = std::move(nodes);
  out.roots = {static_cast<Number>(out.classes.size() - 1)};
  return out;
}

TEST_CASE("What is shared is paid for as the extractors say (Hartmann et al., PACT'24, Figure 9)") {
  // Seven operators of cost 1; two that read the same two values are read by the last.
  const Problem problem = chain({node(1, {}), node(1, {0}), node(1, {1}), node(1, {1}),
                                 node(1, {2, 3}), node(1, {2, 3}), node(1, {4, 5})});
  CHECK(extract_ocf(problem, Overlap::LargestPart).cost == 8);
  CHECK(extract_ocf(problem, Overlap::Union).cost == 7);
  CHECK(*cost_of_choice(problem, extract_dag(problem)) == 7);
}

TEST_CASE("A choice is looked at by itself") {
  Problem problem;
  problem.nodes = {node(1, {}), node(0, {1}), node(0, {0})};
  problem.classes = {{0, 1}, {2}};
  problem.roots = {1};
  CHECK(*cost_of_choice(problem, {0, 2}) == 1);
  CHECK(cost_of_choice(problem, {1, 2}).error().message == "class 1 needs itself");
  CHECK(cost_of_choice(problem, {kNone, 2}).error().message == "class 0 has no node chosen");
  CHECK(cost_of_choice(problem, {2, 2}).error().message ==
        "class 0 has a node chosen that is none of its");
  CHECK_FALSE(cost_of_choice(problem, {0}).ok());
}

TEST_CASE("Problems that have no choice are refused") {
  Problem problem;
  problem.nodes = {node(1, {1}), node(1, {0})};
  problem.classes = {{0}, {1}};
  problem.roots = {0};
  CHECK(check(problem).error().message ==
        "class 0 is a root and every choice for it would need itself");
  problem.nodes[1].children.clear();
  CHECK(check(problem).ok());
  problem.nodes[1].cost = -1;
  CHECK_FALSE(check(problem).ok());
  problem.nodes[1].cost = std::numeric_limits<double>::infinity();
  CHECK_FALSE(check(problem).ok());
  problem.nodes[1] = node(1, {7});
  CHECK_FALSE(check(problem).ok());
  problem.nodes[1] = node(1, {});
  problem.roots.clear();
  CHECK_FALSE(check(problem).ok());
}

// The problem that is left, with all that was taken or left out in its place.
Problem left_of(const Problem& problem) {
  const Reduced reduced = reduce(problem);
  Problem out = problem;
  for (Number number = 0; number < out.classes.size(); ++number) {
    out.classes[number] = reduced.classes[number];
    if (reduced.free[number] != kNone) out.classes[number] = {reduced.free[number]};
  }
  return out;
}

TEST_CASE("Random problems: choices are programs, none costs less than the best") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  std::size_t best_found = 0, shared = 0;
  constexpr int kRounds = 3000;
  for (int round = 0; round < kRounds; ++round) {
    const Problem problem = test::random_problem(rng);
    REQUIRE(check(problem).ok());
    const double optimum = *test::Exhaustive(problem).optimum();
    const auto tree = cost_of_choice(problem, extract_tree(problem));
    const auto dag = cost_of_choice(problem, extract_dag(problem));
    REQUIRE(tree.ok());
    REQUIRE(dag.ok());
    REQUIRE(*tree >= optimum);
    REQUIRE(*dag >= optimum);
    REQUIRE(*dag <= *tree);
    best_found += static_cast<std::size_t>(*dag == optimum);
    shared += static_cast<std::size_t>(*tree > optimum);
    for (const Overlap overlap : {Overlap::LargestPart, Overlap::Union}) {
      const auto cost = cost_of_choice(problem, extract_ocf(problem, overlap).choice);
      if (cost) REQUIRE(*cost >= optimum);
    }
    // What is left out is never missed.
    const Problem left = left_of(problem);
    REQUIRE(test::Exhaustive(left).optimum() == optimum);
  }
  CHECK(best_found > kRounds * 95 / 100);
  CHECK(shared > kRounds / 100);
}

// A solver that answers what it is told to.
class Told final : public IlpSolver {
 public:
  explicit Told(Result<IlpAnswer> answer) : answer_(std::move(answer)) {}
  Result<IlpAnswer> solve(const IlpModel& model, const std::vector<double>& start, const IlpLimits&,
                          std::stop_token) override {
    asked = model;
    began_with = start;
    return answer_;
  }
  IlpModel asked;
  std::vector<double> began_with;

 private:
  Result<IlpAnswer> answer_;
};

// Two ways to the root, of which one shares what it reads with the other root.
Problem two_ways() {
  Problem out;
  out.nodes = {node(5, {}), node(3, {}), node(1, {0}), node(1, {1}), node(2, {0})};
  out.classes = {{0}, {1}, {2, 3}, {4}};
  out.roots = {2, 3};
  return out;
}

TEST_CASE("What a solver answers is looked at") {
  const Problem problem = two_ways();
  const Choice start = {0, 1, 3, 4};  // 1 + 3 + 2 + 5
  REQUIRE(*cost_of_choice(problem, start) == 11);
  const auto extracted = [&](Result<IlpAnswer> answer) {
    Told solver(std::move(answer));
    return extract_ilp(problem, start, solver, {}, {});
  };
  // All of it is decided before a solver is asked for more than one column a class.
  Told asked(Error{"no solver", ErrorKind::Tool});
  const auto none = extract_ilp(problem, start, asked, {}, {});
  CHECK(none.cost == 11);
  CHECK_FALSE(none.is_optimal);
  CHECK(none.why == "no solver");
  const std::size_t columns = asked.asked.columns.size();
  REQUIRE(columns > 0);
  CHECK(asked.began_with.size() == columns);

  CHECK(extracted(IlpAnswer{IlpEnd::Optimal, std::vector<double>(columns, 0), 0, 0})
            .why.find("what is no choice") != std::string::npos);
  CHECK(extracted(IlpAnswer{IlpEnd::Optimal, {1}, 0, 0}).why ==
        "the solver answered with what is no choice");
  CHECK(extracted(IlpAnswer{IlpEnd::OutOfTime, {}, 2, 0}).bound == 2);
  const auto right = extracted(IlpAnswer{IlpEnd::Optimal, std::vector<double>(columns, 1), 8, 0});
  CHECK(right.cost == 8);
  CHECK(right.is_optimal);
}

TEST_CASE("A solver's optimum that is dearer than a known choice is none") {
  const Problem problem = two_ways();
  const Choice best = {0, kNone, 2, 4};
  REQUIRE(*cost_of_choice(problem, best) == 8);
  Problem wide = problem;  // nothing of it is left out: the cheaper node needs something more
  wide.nodes.push_back(node(4, {}));
  wide.classes.push_back({5});
  wide.nodes[2].children.push_back(4);
  Told solver(IlpAnswer{IlpEnd::Optimal, {}, 0, 0});
  const Choice start = {0, 1, 3, 4, 5};
  const auto out = extract_ilp(wide, start, solver, {}, {});
  CHECK_FALSE(out.is_optimal);
  CHECK(out.cost == *cost_of_choice(wide, start));
}

}  // namespace
