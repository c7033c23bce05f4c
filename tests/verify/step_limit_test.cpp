// A limit of steps: an engine that would take more does not know, on every machine alike.
#include "verify/values/step_limit.h"

#include <catch2/catch.hpp>

#include "tests/support/sketch.h"
#include "verify/pairs/engines.h"

using namespace pet;
using pet::test::Sketch;

namespace {

constexpr std::size_t kMany = 10'000'000;

Graph sum(bool swapped) {
  Sketch s;
  const NodeId x = s.input("x", {2, 2});
  const NodeId y = s.input("y", {2, 2});
  const NodeId out = swapped ? s.op("Add", {y, x}) : s.op("Add", {x, y});
  return std::move(s).finish({out});
}

Verdict asked(std::string_view engine, std::size_t steps, const Graph& a, const Graph& b) {
  const Engines engines = engines_called(engine, {steps});
  return engines.front()->check(a, b, {});
}

}  // namespace

TEST_CASE("Every engine says that it would take more steps, or what it finds out") {
  for (const char* engine : {"bitmap", "exact", "region", "smt"}) {
    INFO(engine);
    const Verdict verdict = asked(engine, 1, sum(false), sum(true));
    CHECK(verdict.outcome == Outcome::Unknown);
    CHECK(verdict.reason.find("more than 1 steps") != std::string::npos);
    CHECK(asked(engine, kMany, sum(false), sum(true)).outcome == Outcome::Equivalent);
  }
}

TEST_CASE("The same limit gives the same verdict again") {
  for (const char* engine : {"bitmap", "exact", "region", "smt"}) {
    for (const std::size_t steps : {3UL, 10UL, 30UL, 100UL, 300UL, 1000UL}) {
      INFO(engine << " " << steps);
      const Verdict once = asked(engine, steps, sum(false), sum(true));
      const Verdict again = asked(engine, steps, sum(false), sum(true));
      CHECK(once.outcome == again.outcome);
      CHECK(once.reason == again.reason);
    }
  }
}

// Two terms at four positions in each of two programs; each of them in every prime.
TEST_CASE("A step of the bitmap engine is a term at a position modulo one prime") {
  const Verdict free = asked("bitmap", kMany, sum(false), sum(true));
  REQUIRE(free.outcome == Outcome::Equivalent);
  const std::size_t steps = 16 * free.primes;
  CHECK(asked("bitmap", steps, sum(false), sum(true)).outcome == Outcome::Equivalent);
  CHECK(asked("bitmap", steps - 1, sum(false), sum(true)).outcome == Outcome::Unknown);
}

TEST_CASE("What both programs compute alike is evaluated once, and identical programs never") {
  CHECK(asked("bitmap", 0, sum(false), sum(false)).outcome == Outcome::Equivalent);
  CHECK(asked("region", 0, sum(false), sum(false)).outcome == Outcome::Equivalent);
}

// Of 16 steps of writing and what Z3 does with them, which is more than four.
TEST_CASE("What the solver does counts, not only what it is told") {
  const Verdict verdict = asked("smt", 20, sum(false), sum(true));
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason.find("more than 20 steps") != std::string::npos);
}

TEST_CASE("A window's elements are steps, and a leaf has none") {
  Sketch s;
  const NodeId x = s.input("x", {1, 1, 4, 4});
  const NodeId pooled = s.op("MaxPool", {{"kernel_shape", Ints{2, 2}}}, {x});
  const Graph program = std::move(s).finish({pooled});
  CHECK(evaluation_steps(program, x) == 0);
  // Nine windows of four, each with a result that is read once.
  CHECK(evaluation_steps(program, pooled) == 9 * (1 + 4) + 9);
}
