#include "core/search/planner.h"

#include <catch2/catch.hpp>
#include <map>

#include "core/search/measuring_queue.h"
#include "tests/support/sketch.h"

using namespace pet;
using pet::test::Sketch;

namespace {

const AxisOrder kAsItIs = {0, 1, 2};
const AxisOrder kTurned = {1, 0, 2};

// x -> MatMul -> Relu -> MatMul -> Relu, each product a class of its own.
struct Chain {
  Graph graph;
  std::vector<SubprogramClass> classes;
};

Chain chain() {
  Sketch s;
  NodeId x = s.input("x", {2, 3, 4});
  std::vector<NodeId> products;
  for (const float first : {0.5f, 1.5f}) {
    products.push_back(s.op("MatMul", {x, s.ramp({4, 4}, first)}));
    x = s.op("Relu", {products.back()});
  }
  Chain out{std::move(s).finish({x}), {}};
  for (const NodeId id : products) out.classes.push_back({{extract(out.graph, std::span(&id, 1))}});
  return out;
}

// Each name is a mutant of its own.
Lineage called(const std::string& how) {
  static std::map<std::string, std::size_t> ids;
  return {MutantId(ids.try_emplace(how, ids.size()).first->second), {}, 0, {move::Said{how}}};
}

Candidate candidate(const Chain& c, std::size_t number, const std::string& how,
                    const AxisOrder& order, double cost) {
  Candidate out;
  out.program = c.classes[number].representative().program;
  out.arranged = out.program;
  out.inputs = out.outputs = {order};
  out.lineage = called(how);
  out.cost = cost;
  return out;
}

// `ms` of the original in that run, and how many times faster the candidate was.
Measured measured(Candidate what, double ms, double ratio, bool certain = true) {
  Comparison comparison;
  comparison.timing = {{ms, ms, ms}, {ms / ratio, ms / ratio, ms / ratio}};
  comparison.ratio = {ratio, certain ? ratio * 0.99 : 0.9, ratio * 1.01};
  comparison.decision = !certain       ? Decision::Undecided
                        : ratio > 1.02 ? Decision::Faster
                                       : Decision::Slower;
  what.right = Candidate::Right::Everywhere;
  return {std::move(what), std::move(comparison)};
}

std::vector<std::string> hows(const Plan& plan) {
  std::vector<std::string> out;
  for (const Choice& choice : plan.choices) out.push_back(in_words(choice.mutant.moves));
  return out;
}

}  // namespace

TEST_CASE("A candidate that was timed while the machine was slow is not taken for it") {
  const Chain c = chain();
  Planner planner(c.graph, c.classes);
  // 2 of 10 ms saved in a slow hour, 1.6 of 4 ms in a good one.
  planner.add(0, measured(candidate(c, 0, "a fifth less", kAsItIs, 1), 10, 10.0 / 8));
  planner.add(0, measured(candidate(c, 0, "two fifths less", kAsItIs, 1), 4, 4 / 2.4));
  REQUIRE_FALSE(planner.plans().empty());
  CHECK(hows(planner.plans()[0]) == std::vector<std::string>{"two fifths less"});
}

TEST_CASE("Between times that are nearly the same the estimate decides") {
  const Chain c = chain();
  Planner planner(c.graph, c.classes);
  planner.add(0, measured(candidate(c, 0, "more work", kAsItIs, 2), 10, 1.51));
  planner.add(0, measured(candidate(c, 0, "less work", kAsItIs, 1), 10, 1.5));
  CHECK(hows(planner.plans()[0]) == std::vector<std::string>{"less work"});
  planner.add(0, measured(candidate(c, 0, "clearly faster", kAsItIs, 2), 10, 1.8));
  CHECK(hows(planner.plans()[0]) == std::vector<std::string>{"clearly faster"});
}

TEST_CASE("What is not certainly faster is chosen for its neighbours' sake only") {
  const Chain c = chain();
  Planner planner(c.graph, c.classes);
  planner.set_cost({{2, 3, 4}, kTurned}, 1);
  planner.set_cost({{3, 2, 4}, kTurned}, 1);
  planner.add(0, measured(candidate(c, 0, "as it is", kAsItIs, 1), 10, 1.3, false));
  planner.add(0, measured(candidate(c, 0, "turned", kTurned, 1), 10, 1.3, false));
  CHECK(planner.plans().empty());
  // Two transposes around the second one alone; around both there are two as well.
  planner.add(1, measured(candidate(c, 1, "turned", kTurned, 1), 10, 1.5));
  CHECK(planner.plans()[0].saved_ms == Approx(10 * (1 - 1 / 1.5) - 2));
  planner.set_cost({{2, 3, 4}, kTurned}, 0.5);
  CHECK_FALSE(planner.plans().empty());
}

TEST_CASE("A transpose that nobody measured costs what the machine says") {
  const Chain c = chain();
  const Shape shape = {2, 3, 4};
  const Planner usual(c.graph, c.classes);
  Planner other(c.graph, c.classes, {.bytes_per_ms = 1, .ms_per_operator = 7});
  CHECK(usual.transpose_ms(shape, kTurned) < 1);
  // Three times what it takes to read and write it once.
  CHECK(other.transpose_ms(shape, kTurned) == Approx(7 + 3 * 2 * 4 * 24));
  other.set_cost({shape, kTurned}, 5);
  CHECK(other.transpose_ms(shape, kTurned) == 5);
}

TEST_CASE("A plan keeps values in one other order, however much each of two would save") {
  const AxisOrder turned_otherwise = {0, 2, 1};
  const Chain c = chain();
  Planner planner(c.graph, c.classes);
  for (const Shape& shape : {Shape{2, 3, 4}, Shape{3, 2, 4}, Shape{2, 4, 3}}) {
    for (const AxisOrder& order : {kTurned, turned_otherwise, composed(kTurned, turned_otherwise),
                                   composed(turned_otherwise, kTurned)})
      planner.set_cost({shape, order}, 0.1);
  }
  planner.add(0, measured(candidate(c, 0, "turned", kTurned, 1), 10, 2));
  planner.add(1, measured(candidate(c, 1, "turned otherwise", turned_otherwise, 1), 10, 4));
  CHECK(hows(planner.plans()[0]) == std::vector<std::string>{"turned otherwise"});
  planner.add(1, measured(candidate(c, 1, "turned", kTurned, 1), 10, 3));
  CHECK(hows(planner.plans()[0]) == std::vector<std::string>{"turned", "turned"});
}

TEST_CASE("The queue starts with the cheapest of each class and goes on with the best plan") {
  const Chain c = chain();
  Planner planner(c.graph, c.classes);
  planner.set_cost({{2, 3, 4}, kTurned}, 0.01);
  planner.set_cost({{3, 2, 4}, kTurned}, 0.01);
  MeasuringQueue queue(planner, {10, 10});
  Candidate first = candidate(c, 0, "first", kAsItIs, 4);
  Candidate second = candidate(c, 0, "second", kAsItIs, 5);
  first.kind = "Slice";
  second.kind = "Conv";
  queue.add(0, {first, second});
  queue.add(1, {candidate(c, 1, "no gain", kTurned, 10)});
  auto next = queue.take_first();
  REQUIRE(next.has_value());
  CHECK(in_words(next->candidate.lineage.moves) == "first");
  CHECK_FALSE(queue.take_first().has_value());
  // It turns out slower: the plan would now hold the second one.
  planner.add(0, measured(std::move(next->candidate), 10, 0.8));
  next = queue.take_wanted();
  REQUIRE(next.has_value());
  CHECK(in_words(next->candidate.lineage.moves) == "second");
  planner.add(0, measured(std::move(next->candidate), 10, 1.5));
  // Another order that saves nothing is of no use where nobody is in that order.
  CHECK_FALSE(queue.take_wanted().has_value());
  CHECK_FALSE(queue.take_worth_by_itself().has_value());
}

TEST_CASE("The queue leaves alone for long what is like the things that failed") {
  const Chain c = chain();
  Planner planner(c.graph, c.classes);
  MeasuringQueue queue(planner, {10, 10});
  Candidate bad = candidate(c, 0, "bad", kAsItIs, 7);
  Candidate good = candidate(c, 1, "good", kAsItIs, 7);
  bad.kind = "Slice";
  good.kind = "Conv";
  planner.add(0, measured(bad, 10, 0.5));
  planner.add(1, measured(good, 10, 1.4));
  bad.lineage = called("bad as well");
  good.lineage = called("good as well");
  good.cost = 7.5;  // estimated to save less
  queue.add(0, {bad});
  queue.add(1, {good});
  REQUIRE(queue.take_first().has_value());  // the cheapest of a class, whatever is known
  REQUIRE(queue.take_first().has_value());
  queue.add(0, {candidate(c, 0, "dear", kAsItIs, 11), bad});
  queue.add(1, {candidate(c, 1, "dear", kAsItIs, 11), good});
  const auto next = queue.take_worth_by_itself();
  REQUIRE(next.has_value());
  CHECK(in_words(next->candidate.lineage.moves) == "good as well");
}
