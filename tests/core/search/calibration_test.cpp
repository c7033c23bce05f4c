#include "core/search/calibration.h"

#include <catch2/catch.hpp>

#include "tests/support/sketch.h"

using namespace pet;
using pet::test::Sketch;

TEST_CASE("Without measurements estimates stand") {
  const Calibration calibration({});
  CHECK(calibration.factor(0, "Conv") == Approx(1));
}

TEST_CASE("What was learnt of a subprogram says most about that subprogram") {
  const Calibration calibration(
      {{0, "Conv", 0.5, 1.5}, {1, "Conv", 0.5, 0.5}, {2, "Conv", 0.5, 0.5}});
  CHECK(calibration.factor(0, "Conv") > 1.4);
  CHECK(calibration.factor(1, "Conv") < 1.2);
  CHECK(calibration.factor(0, "Conv") > calibration.factor(3, "Conv"));
}

TEST_CASE("What was learnt of operators is carried to other subprograms") {
  const Calibration calibration({{0, "Conv", 0.5, 1.5},
                                 {1, "Conv", 0.5, 1.5},
                                 {0, "MatMul", 0.5, 0.5},
                                 {1, "MatMul", 0.5, 0.5}});
  CHECK(calibration.factor(2, "Conv") > 1.3);
  CHECK(calibration.factor(2, "Conv") > 1.3 * calibration.factor(2, "MatMul"));
}

TEST_CASE("One wild measurement does not decide about everything") {
  const Calibration calibration({{0, "Conv", 0.01, 100}});
  CHECK(calibration.factor(1, "MatMul") < 2.5);
}

TEST_CASE("A kind names what moves or computes, once, whatever its order") {
  Sketch s;
  const NodeId x = s.input("x", {2, 3, 4});
  const NodeId first = s.op("MatMul", {x, s.ramp({4, 4}, 0.5f)});
  const NodeId second = s.op("MatMul", {first, s.ramp({4, 4}, 1.5f)});
  const Graph graph = std::move(s).finish({s.op("Relu", {second})});
  CHECK(Calibration::kind_of(graph) == "MatMul, Relu");
}
