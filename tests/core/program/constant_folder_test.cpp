#include "core/program/constant_folder.h"

#include <catch2/catch.hpp>

#include "tests/support/sketch.h"

using namespace pet;
using namespace pet::test;

namespace {

const std::vector<float> kWeights = {1.5F, -0.75F, 2.25F};

std::vector<std::string> operators_of(const Graph& graph) {
  std::vector<std::string> out;
  for (const Node& node : graph.nodes())
    if (node.op() != nullptr) out.emplace_back(node.op()->def->name);
  return out;
}

struct Folded {
  Graph program;
  std::size_t count = 0;
  std::vector<LeftConstant> left;
};

Folded folded(const Graph& program) {
  ConstantFolder folder(program, 1, {});
  auto out = folder.fold(program);
  INFO((out ? "" : out.error().message));
  REQUIRE(out.ok());
  return {std::move(out->program), folder.count(), folder.left()};
}

}  // namespace

TEST_CASE("A constant that overflows stays computed, and the others are folded") {
  Sketch s;
  const NodeId x = s.input("x", {3});
  const NodeId w = s.constant({3}, kWeights);
  const NodeId huge = s.op("Mul", {w, s.scalar(3e38F)});
  const NodeId third = s.op("Div", {w, s.scalar(3)});
  const Graph program = std::move(s).finish({s.op("Mul", {x, huge}), s.op("Mul", {x, third})});
  const Folded out = folded(program);
  CHECK(out.count == 1);
  CHECK(operators_of(out.program) == std::vector<std::string>{"Mul", "Mul", "Mul"});
  REQUIRE(out.left.size() == 1);
  CHECK(out.left[0].what == "Mul");
  CHECK(out.left[0].reason == "element 0 overflows");
}

TEST_CASE("What another program has computed already is not computed again, what differs is") {
  const auto program = [](float divisor, bool has_more) {
    Sketch s;
    const NodeId x = s.input("x", {3});
    const NodeId w = s.constant({3}, kWeights);
    NodeId out = s.op("Mul", {x, s.op("Div", {w, s.scalar(divisor)})});
    if (has_more) out = s.op("Mul", {out, s.op("Add", {w, w})});
    return std::move(s).finish({out});
  };
  FoldedConstants known;
  const auto fold = [&](const Graph& one, FoldedConstants* shared) {
    ConstantFolder folder(one, 1, {}, shared);
    auto out = folder.fold(one);
    REQUIRE(out.ok());
    return std::pair(out->program.digest(), std::move(folder).programs().results);
  };
  const Graph small = program(3, false), large = program(3, true), other = program(7, false);
  for (const auto& [one, count] :
       {std::pair(&small, 1), std::pair(&large, 2), std::pair(&other, 3), std::pair(&large, 3)}) {
    CHECK(fold(*one, &known) == fold(*one, nullptr));
    CHECK(known.size() == static_cast<std::size_t>(count));
  }
  // It is what is there that is taken.
  const auto wrong = std::make_shared<const Tensor>(Tensor::of_floats({3}, {1, 2, 3}));
  for (auto& [expression, value] : known) value = wrong;
  CHECK(fold(small, &known) != fold(small, nullptr));
}

TEST_CASE("A number that follows from no weight is folded where a float holds it, and only there") {
  Sketch s;
  const NodeId x = s.input("x", {3});
  const NodeId third = s.op("Div", {s.scalar(1), s.scalar(3)});
  const NodeId quarter = s.op("Div", {s.scalar(1), s.scalar(4)});
  const Graph program = std::move(s).finish({s.op("Mul", {x, third}), s.op("Mul", {x, quarter})});
  const Folded out = folded(program);
  CHECK(out.count == 1);
  CHECK(operators_of(out.program) == std::vector<std::string>{"Div", "Mul", "Mul"});
  REQUIRE(out.left.size() == 1);
  CHECK(out.left[0].what == "Div");
  CHECK(out.left[0].reason == "it follows from no weight and is no float");
}

TEST_CASE("What has no enclosure stays computed, between what is folded before and behind it") {
  Sketch s;
  const NodeId x = s.input("x", {3});
  const NodeId w = s.constant({3}, kWeights);
  const NodeId exponent = s.op("Exp", {s.op("Div", {w, s.scalar(3)})});
  const NodeId twice = s.op("Add", {exponent, exponent});
  const Graph program = std::move(s).finish({s.op("Mul", {x, twice}), exponent});
  const Folded out = folded(program);
  CHECK(out.count == 1);
  CHECK(operators_of(out.program) == std::vector<std::string>{"Exp", "Add", "Mul"});
  CHECK(out.left.size() == 2);
}

TEST_CASE("Halves of a product that is too small alone are folded together") {
  Sketch s;
  const NodeId x = s.input("x", {3});
  const NodeId w = s.constant({3}, kWeights);
  const NodeId tiny = s.op("Mul", {w, s.op("Mul", {s.scalar(0x1p-100F), s.scalar(0x1p-100F)})});
  const NodeId back = s.op("Mul", {s.op("Mul", {tiny, s.scalar(0x1p100F)}), s.scalar(0x1p100F)});
  const Folded out = folded(std::move(s).finish({s.op("Mul", {x, back})}));
  CHECK(out.count == 1);
  CHECK(out.left.empty());
  CHECK(operators_of(out.program) == std::vector<std::string>{"Mul"});
}

TEST_CASE("A folding that is stopped is no folding") {
  Sketch s;
  const NodeId x = s.input("x", {3});
  const NodeId third = s.op("Div", {s.constant({3}, kWeights), s.scalar(3)});
  const Graph program = std::move(s).finish({s.op("Mul", {x, third})});
  std::stop_source stopping;
  stopping.request_stop();
  ConstantFolder folder(program, 1, stopping.get_token());
  const auto out = folder.fold(program);
  REQUIRE_FALSE(out.ok());
  CHECK(out.error().kind == ErrorKind::Stopped);
}
