// Where only a verdict is asked for (ProofOptions::first_difference).
#include <catch2/catch.hpp>

#include "tests/support/sketch.h"
#include "verify/pairs/bitmap_checker.h"
#include "verify/verdict/replay.h"

using namespace pet;

TEST_CASE("Where only a verdict is asked for, the first difference ends it") {
  ProofOptions options;
  options.first_difference = true;
  BitmapChecker checker;
  SECTION("one there is, with its witness; of the rest nothing is said") {
    // One column of eight is wrong.
    const auto cut = [](bool all) {
      test::Sketch s;
      const NodeId x = s.input("x", {2, 8});
      const NodeId y = s.op("Neg", {x});
      const NodeId last = all ? s.slice(y, 1, 7, 8) : s.slice(x, 1, 7, 8);
      return std::move(s).finish({s.concat({s.slice(y, 1, 0, 7), last}, 1)});
    };
    const Verdict v = checker.check(cut(true), cut(false), options);
    REQUIRE(v.outcome == Outcome::Different);
    CHECK(v.outputs[0].equal == 0);
    CHECK(v.outputs[0].different >= 1);
    CHECK(v.outputs[0].different <= 2);
    CHECK(v.outputs[0].undecided == 16 - v.outputs[0].different);
    REQUIRE(v.outputs[0].witness);
    CHECK(v.outputs[0].witness->position[1] == 7);
    options.in_detail = true;
    const Verdict detailed = checker.check(cut(true), cut(false), options);
    REQUIRE(detailed.outputs[0].witness);
    CHECK(detailed.outputs[0].witness->seed % kWitnessDraws >= kRealDraws);
    CHECK(checker.check(cut(true), cut(false), {}).outcome == Outcome::Partial);
  }
  SECTION("what is equal is equal, with the error that was asked for") {
    const auto program = [](bool doubled_first) {
      test::Sketch s;
      const NodeId x = s.input("x", {4});
      const NodeId y = s.input("y", {4});
      const NodeId two = s.scalar(2);
      if (!doubled_first) return std::move(s).finish({s.op("Mul", {s.op("Add", {x, y}), two})});
      return std::move(s).finish({s.op("Add", {s.op("Mul", {x, two}), s.op("Mul", {y, two})})});
    };
    const Verdict v = checker.check(program(false), program(true), options);
    CHECK(v.outcome == Outcome::Equivalent);
    CHECK(v.log2_error <= -64);
    CHECK(v.outputs[0].equal == v.outputs[0].elements);
  }
  SECTION("what no inputs tell apart is not known") {
    const auto relu = [](int times) {
      test::Sketch s;
      NodeId y = s.input("x", {4});
      for (int i = 0; i < times; ++i) y = s.op("Relu", {y});
      return std::move(s).finish({y});
    };
    CHECK(checker.check(relu(1), relu(2), options).outcome == Outcome::Unknown);
  }
}
