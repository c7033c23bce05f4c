// Rules on real operators: what they bring about, and the way that leads there.
#include "core/egraph/saturation.h"

#include <catch2/catch.hpp>

#include "core/egraph/cycles.h"
#include "core/egraph/explanation.h"
#include "core/egraph/extract/greedy.h"
#include "tests/core/egraph/matrix_rules.h"
#include "tests/support/sketch.h"
#include "verify/pairs/bitmap_checker.h"

using namespace pet;
using namespace pet::egraph;
using test::Sketch;

namespace {

using test::associated;
using test::back;
using test::factored;
using test::merged;

rules::Rewriter of(std::vector<rules::UsableRule> rules) {
  return rules::Rewriter(std::move(rules));
}

struct Extracted {
  Program program;
  Extraction extraction;
  Choice choice;
  Graph chosen;
  double cost = 0;
  SaturationEnd end = SaturationEnd::Saturated;
};

Extracted saturated(const Graph& original, rules::Rewriter& rewriter,
                    SaturationLimits limits = {}) {
  Program program = program_of(original);
  Saturation saturation(program, rewriter, limits);
  while (!saturation.is_over()) saturation.step();
  EstimatedCosts operators;
  const Costs costs(operators);
  Extraction extraction = extraction_of(program, costs);
  REQUIRE(check(extraction.problem).ok());
  Choice choice = extract_dag(extraction.problem);
  auto chosen = chosen_program(program, extraction, choice);
  REQUIRE(chosen.ok());
  const double cost = *cost_of_choice(extraction.problem, choice);
  return {std::move(program), std::move(extraction), std::move(choice), *std::move(chosen), cost,
          *saturation.end()};
}

double estimated(const Graph& program) {
  EstimatedCosts costs;
  return sum_ms(program, costs);
}

void check_equal(const Graph& original, const Graph& chosen) {
  ProofOptions options;
  options.bind_weights = true;
  CHECK(BitmapChecker().check(original, chosen, options).outcome == Outcome::Equivalent);
}

// The way alone brings the chosen program about.
void check_way(const Graph& original, const Extracted& found, rules::Rewriter& rewriter) {
  const auto way = way_to(found.program, found.extraction, found.choice);
  auto alone = along(original, found.program, way, rewriter);
  REQUIRE(alone);
  const std::size_t nodes = alone->graph.made();
  std::vector<ENodeId> inputs;
  for (const NodeId id : original.inputs())
    inputs.push_back(alone->graph.add({original.node(id).what, original.what_is(id)}, {},
                                      original.node(id).type, kOriginal));
  const Added added = add_to(alone->graph, found.chosen, inputs, kOriginal);
  CHECK(alone->graph.made() == nodes);  // all of it is there
  for (std::size_t i = 0; i < added.outputs.size(); ++i)
    CHECK(alone->graph.class_of(added.outputs[i]) == alone->graph.class_of(alone->outputs[i]));
}

Graph two_products() {
  Sketch s;
  const NodeId x = s.input("x", {32, 48});
  const NodeId a = s.op("MatMul", {x, s.ramp({48, 40}, 1.0F / 1024)});
  const NodeId b = s.op("MatMul", {x, s.ramp({48, 40}, 1.0F / 512)});
  return std::move(s).finish({s.op("Add", {a, b})});
}

TEST_CASE("A program is in an e-graph as it is, and comes out so") {
  const Graph original = two_products();
  rules::Rewriter none({});
  const auto found = saturated(original, none);
  CHECK(found.end == SaturationEnd::Saturated);
  CHECK(found.chosen.digest() == original.digest());
  CHECK(found.cost == Approx(estimated(original)));
  CHECK(way_to(found.program, found.extraction, found.choice).empty());
}

TEST_CASE("A cheaper program is found, equal to the original, and the way to it") {
  const Graph original = two_products();
  auto rewriter = of({factored(), associated()});
  const auto found = saturated(original, rewriter);
  CHECK(found.cost < estimated(original));
  CHECK(found.cost == Approx(estimated(found.chosen)));
  check_equal(original, found.chosen);
  check_way(original, found, rewriter);
}

TEST_CASE("Sums of weights cost nothing: they are computed ahead of time") {
  const Graph original = two_products();
  auto rewriter = of({factored()});
  const auto found = saturated(original, rewriter);
  // One product is left.
  CHECK(found.cost == Approx(estimated(found.chosen)));
  std::size_t products = 0;
  for (const NodeId id : found.chosen.ids())
    products += static_cast<std::size_t>(found.chosen.node(id).op() != nullptr &&
                                         found.chosen.node(id).op()->def->name == "MatMul");
  CHECK(products == 1);
}

TEST_CASE("Products in a row are associated so that the least is multiplied") {
  Sketch s;
  const NodeId x = s.input("x", {2, 128}), y = s.input("y", {128, 128}),
               z = s.input("z", {128, 128}), w = s.input("w", {128, 1});
  const NodeId yz = s.op("MatMul", {y, z});
  const Graph original = std::move(s).finish({s.op("MatMul", {s.op("MatMul", {x, yz}), w})});
  // Only from the left: (x (y z)) w has to be turned round by rules of both directions.
  auto rewriter = of({associated(), back()});
  const auto found = saturated(original, rewriter);
  CHECK(found.end == SaturationEnd::Saturated);
  CHECK(found.cost < 0.5 * estimated(original));
  check_equal(original, found.chosen);
  check_way(original, found, rewriter);
}

TEST_CASE("Rules of two results join what they share, in one order") {
  Sketch s;
  const NodeId x = s.input("x", {16, 48});
  std::vector<NodeId> products;
  for (int i = 0; i < 3; ++i)
    products.push_back(s.op("MatMul", {x, s.ramp({48, 8}, 1.0F / static_cast<float>(512 + i))}));
  const Graph original = std::move(s).finish(products);
  for (const CycleFilter cycles : {CycleFilter::Efficient, CycleFilter::Vanilla}) {
    auto rewriter = of({merged()});
    Program program = program_of(original);
    SaturationLimits limits;
    limits.cycles = cycles;
    const auto done = apply_everywhere(program, rewriter, 0, limits);
    CHECK(done.matches == 3);  // pairs of three
    const auto found = saturated(original, rewriter, limits);
    check_equal(original, found.chosen);
    check_way(original, found, rewriter);
    CHECK(found.cost <= estimated(original) * (1 + 1e-9));
  }
}

TEST_CASE("Limits end it, and what was found until then is there") {
  const Graph original = two_products();
  auto rewriter = of({factored(), associated()});
  SaturationLimits limits;
  limits.iterations = 1;
  CHECK(saturated(original, rewriter, limits).end == SaturationEnd::Iterations);
  limits = {};
  limits.nodes = 7;  // the original has so many
  const auto few = saturated(original, rewriter, limits);
  CHECK(few.end == SaturationEnd::Nodes);
  check_equal(original, few.chosen);
}

TEST_CASE("What numbers decide is taken with its number") {
  Sketch s;
  const NodeId x = s.input("x", {8, 8}), y = s.input("y", {8, 8});
  const NodeId a = s.op("Div", {s.op("MatMul", {x, y}), s.scalar(4)});
  const Graph original = std::move(s).finish({a});
  auto rewriter = of({associated()});
  const auto found = saturated(original, rewriter);
  check_equal(original, found.chosen);
}

}  // namespace
