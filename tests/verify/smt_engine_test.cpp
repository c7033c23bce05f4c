// The solver's engine: what it may say, and what it must not.
#include "verify/smt/smt_engine.h"

#include <catch2/catch.hpp>

#include "tests/support/onnx_builder.h"
#include "tests/support/sketch.h"

using namespace pet;
using pet::test::Sketch;

namespace {

// Of x and y, two by two.
Graph program(const std::function<NodeId(Sketch&, NodeId, NodeId)>& of) {
  Sketch s;
  const NodeId x = s.input("x", {2, 2});
  const NodeId y = s.input("y", {2, 2});
  const NodeId out = of(s, x, y);
  return std::move(s).finish({out});
}

Graph square_of_sum() {
  return program([](Sketch& s, NodeId x, NodeId y) {
    const NodeId sum = s.op("Add", {x, y});
    return s.op("Mul", {sum, sum});
  });
}

Graph sum_of_products(bool twice) {
  return program([twice](Sketch& s, NodeId x, NodeId y) {
    const NodeId xy = s.op("Mul", {x, y});
    const NodeId squares = s.op("Add", {s.op("Mul", {x, x}), s.op("Mul", {y, y})});
    return s.op("Add", {squares, twice ? s.op("Add", {xy, xy}) : xy});
  });
}

}  // namespace

TEST_CASE("Polynomials that are written differently are equal, and others differ for certain") {
  CHECK(SmtEngine().check(square_of_sum(), sum_of_products(true), {}).outcome ==
        Outcome::Equivalent);
  const Verdict different = SmtEngine().check(square_of_sum(), sum_of_products(false), {});
  CHECK(different.outcome == Outcome::Different);
  CHECK(different.outputs[0].different == 4);
}

TEST_CASE("Functions that the solver knows nothing of make no difference by themselves") {
  const Graph once = program([](Sketch& s, NodeId x, NodeId) { return s.op("Relu", {x}); });
  const Graph again =
      program([](Sketch& s, NodeId x, NodeId) { return s.op("Relu", {s.op("Relu", {x})}); });
  CHECK(SmtEngine().check(once, again, {}).outcome == Outcome::Unknown);
}

TEST_CASE("A partial function of what the original does not give it is no matter of equality") {
  const Graph plain = program([](Sketch& s, NodeId x, NodeId y) { return s.op("Add", {x, y}); });
  const Graph more = program([](Sketch& s, NodeId x, NodeId y) {
    const NodeId r = s.op("Reciprocal", {s.op("Sub", {x, y})});
    return s.op("Add", {s.op("Add", {x, y}), s.op("Sub", {r, r})});
  });
  const Verdict verdict = SmtEngine().check(plain, more, {});
  CHECK(verdict.outcome == Outcome::Unknown);
  CHECK(verdict.reason.find("domain") != std::string::npos);
}

TEST_CASE("A solver that does not know has found nothing equal") {
  const testing::ScratchFolder folder;
  const auto solver = folder / "solver";
  for (const char* answer : {"unknown", "timeout"}) {
    testing::write_bytes(solver, std::string("#!/bin/sh\n") + "while read -r command; do\n" +
                                     "  [ \"$command\" = '(check-sat)' ] && echo " + answer +
                                     "\ndone\n");
    std::filesystem::permissions(solver, std::filesystem::perms::owner_all);
    SmtEngine checker(std::chrono::seconds(10), {}, solver.string());
    const Verdict verdict = checker.check(square_of_sum(), sum_of_products(true), {});
    INFO(answer << ": " << verdict.reason);
    CHECK(verdict.outcome == Outcome::Unknown);
    REQUIRE(verdict.outputs.size() == 1);
    CHECK(verdict.outputs[0].undecided == 4);
  }
}

TEST_CASE("Without a solver, without time, beyond a limit: unknown, and why") {
  const Graph a = square_of_sum();
  const Graph b = sum_of_products(true);
  const auto reason = [&](SmtEngine checker) {
    const Verdict verdict = checker.check(a, b, {});
    CHECK(verdict.outcome == Outcome::Unknown);
    return verdict.reason;
  };
  CHECK(!reason(SmtEngine(std::chrono::seconds(10), {}, "no-such-solver")).empty());
  CHECK(!reason(SmtEngine(std::chrono::milliseconds(0))).empty());
  CHECK(reason(SmtEngine(std::chrono::seconds(10), {.elements = 3, .products = 1, .characters = 1}))
            .find("too m") != std::string::npos);
  CHECK(reason(SmtEngine(std::chrono::seconds(10), {}, "cat")).find("solver") != std::string::npos);
}
