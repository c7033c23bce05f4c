// The passes that tidy up what was chosen: when they run, and what they tell of it.
#include <catch2/catch.hpp>
#include <set>

#include "core/ops/ops.h"
#include "core/program/passes/all_passes.h"
#include "tests/support/sketch.h"

using namespace pet;
using pet::test::Sketch;

namespace {

Tidied tidied(PassStage stage, const Graph& program,
              std::optional<std::size_t> part = std::nullopt) {
  ConstantFolder folder(program, 1, {});
  PassTools tools{folder};
  auto made = apply_passes(stage, program, part, tools);
  INFO((made ? "" : made.error().message));
  REQUIRE(made.ok());
  return *std::move(made);
}

// The operators, inputs and constants that one node became, as text.
std::vector<std::string> became_of(const AppliedPass& applied, NodeId before) {
  std::vector<std::string> out;
  for (const Became& one : applied.became) {
    if (std::find(one.before.begin(), one.before.end(), before) == one.before.end()) continue;
    for (const NodeId id : one.after) {
      const Node& node = applied.after.node(id);
      out.push_back(node.op() != nullptr      ? node.op()->def->name
                    : node.input() != nullptr ? node.input()->name
                                              : "constant");
    }
  }
  return out;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("Every pass has a name of its own") {
  std::set<std::string_view> names;
  for (const Pass* pass : all_passes()) {
    CHECK_FALSE(pass->name.empty());
    CHECK(names.insert(pass->name).second);
  }
}

TEST_CASE("A pass over the whole program tells what became of every node") {
  Sketch s;
  const NodeId x = s.input("x", {2, 3});
  const NodeId there = s.transpose(x, {1, 0});
  const NodeId relu = s.op("Relu", {there});
  const NodeId back = s.transpose(relu, {1, 0});
  const Graph program = std::move(s).finish({back});
  const Tidied made = tidied(PassStage::Whole, program);
  CHECK(made.program.nodes().size() == 2);
  REQUIRE(made.applied.size() == 1);
  const AppliedPass& applied = made.applied[0];
  CHECK(applied.pass == passes::arrange().name);
  CHECK_FALSE(applied.part.has_value());
  CHECK(applied.before.digest() == program.digest());
  CHECK(applied.after.digest() == made.program.digest());
  CHECK(became_of(applied, x) == Names{"x"});
  CHECK(became_of(applied, there) == Names{"x"});
  CHECK(became_of(applied, relu) == Names{"Relu"});
  CHECK(became_of(applied, back) == Names{"Relu"});
}

TEST_CASE("A transpose that has to be made is what its value became") {
  Sketch s;
  const NodeId x = s.input("x", {2, 3});
  const NodeId relu = s.op("Relu", {s.transpose(x, {1, 0})});
  const Graph program = std::move(s).finish({relu});
  const auto made = tidied(PassStage::Whole, program);
  REQUIRE(made.applied.size() == 1);
  CHECK(became_of(made.applied[0], relu) == Names{"Relu", "Transpose"});
}

TEST_CASE("Weights are computed in new parts only, and the constant is what they all became") {
  Sketch s;
  const NodeId x = s.input("x", {3});
  const NodeId w = s.constant({3}, {1.5F, -0.75F, 2.25F});
  const NodeId three = s.scalar(3);
  const NodeId third = s.op("Div", {w, three});
  const NodeId y = s.op("Mul", {x, third});
  const Graph program = std::move(s).finish({y});
  CHECK(tidied(PassStage::Whole, program).program.digest() == program.digest());
  const Tidied made = tidied(PassStage::NewPart, program, 7);
  CHECK(made.program.nodes().size() == 3);
  REQUIRE(made.applied.size() == 1);
  CHECK(made.applied[0].pass == passes::fold_constants().name);
  CHECK(made.applied[0].part == 7);
  for (const NodeId id : {w, three, third})
    CHECK(became_of(made.applied[0], id) == Names{"constant"});
  CHECK(became_of(made.applied[0], y) == Names{"Mul"});
}

TEST_CASE("A pass that changes nothing tells nothing") {
  Sketch s;
  const NodeId x = s.input("x", {2, 3});
  const Graph program = std::move(s).finish({s.op("Relu", {x})});
  for (const PassStage stage : {PassStage::Whole, PassStage::NewPart})
    CHECK(tidied(stage, program).applied.empty());
}
