// Proofs across nested graphs and model-local functions (theory: section 6, opaque nodes).
#include <catch2/catch.hpp>
#include <tuple>

#include "tests/verify/files_of_x.h"

using namespace pet;
using namespace pet::testing::files;
using pet::testing::OnnxBuilder;

TEST_CASE("A function is what its body says, by its operands' values") {
  const auto calling = [](const std::string& inside, const std::string& operand) {
    return of_x([&](OnnxBuilder& b) {
      auto* import = b.model.add_opset_import();
      import->set_domain("own");
      import->set_version(1);
      auto* function = b.model.add_functions();
      function->set_name("F");
      function->set_domain("own");
      function->add_input("p");
      function->add_output("q");
      auto* opset = function->add_opset_import();
      opset->set_domain("");
      opset->set_version(17);
      auto* node = function->add_node();
      node->set_op_type(inside);
      node->add_input("p");
      node->add_output("q");
      b.node("Add", {"x", "x"}, {"twice"});
      b.node("Sub", {"twice", "x"}, {"once"});
      b.node("F", {operand}, {"y"}, "own");
    });
  };
  CHECK(prove(calling("Relu", "x"), calling("Relu", "x")).outcome == Outcome::Equivalent);
  CHECK(prove(calling("Relu", "x"), calling("Relu", "once")).outcome == Outcome::Equivalent);
  CHECK(prove(calling("Relu", "x"), calling("Relu", "twice")).outcome == Outcome::Different);
  CHECK(prove(calling("Relu", "x"), calling("Sigmoid", "x")).outcome == Outcome::Different);
  CHECK(prove(calling("RandomNormalLike", "x"), calling("RandomNormalLike", "once")).outcome ==
        Outcome::Equivalent);  // one node of that name in each
}

namespace {

// If c then op(captured), else the same; captured is x, or made of x.
OnnxBuilder branching(const std::string& captured, const std::string& op = "Relu",
                      const std::string& own_name = "inner") {
  return of_x([&](OnnxBuilder& b) {
    b.input("c", {}, 9);
    b.node("Add", {"x", "x"}, {"twice"});
    b.node("Sub", {"twice", "x"}, {"once"});
    auto& node = b.node("If", {"c"}, {"y"});
    for (const char* name : {"then_branch", "else_branch"}) {
      auto& graph = *OnnxBuilder::attribute(node, name, ::onnx::AttributeProto::GRAPH).mutable_g();
      graph.set_name("g");
      auto& inner = *graph.add_node();
      inner.set_op_type(op);
      inner.add_input(captured);
      inner.add_output(own_name);
      OnnxBuilder::declare(*graph.add_output(), own_name, {2, 3});
    }
  });
}

// A loop that counts, beside x scaled in one step or in two.
OnnxBuilder beside_a_loop(bool in_two_steps, std::int64_t rounds) {
  return of_x([&](OnnxBuilder& b) {
    b.output("n", {});
    b.integers("rounds", {rounds});
    b.floats("zero", {}, {0});
    auto& node = b.node("Loop", {"rounds", "", "zero"}, {"n"});
    auto& body = *OnnxBuilder::attribute(node, "body", ::onnx::AttributeProto::GRAPH).mutable_g();
    body.set_name("body");
    OnnxBuilder::declare(*body.add_input(), "i", {}, 7);
    OnnxBuilder::declare(*body.add_input(), "go", {}, 9);
    OnnxBuilder::declare(*body.add_input(), "sum", {});
    for (const auto& [op, from, to] :
         {std::tuple("Identity", "go", "go_on"), std::tuple("Exp", "sum", "next")}) {
      auto& inner = *body.add_node();
      inner.set_op_type(op);
      inner.add_input(from);
      inner.add_output(to);
    }
    OnnxBuilder::declare(*body.add_output(), "go_on", {}, 9);
    OnnxBuilder::declare(*body.add_output(), "next", {});
    b.floats("two", {}, {2});
    b.floats("four", {}, {4});
    if (in_two_steps) b.node("Mul", {"x", "two"}, {"half"});
    b.node("Mul", {in_two_steps ? "half" : "x", in_two_steps ? "two" : "four"}, {"y"});
  });
}

}  // namespace

TEST_CASE("A nested graph is what it computes of what it captures") {
  CHECK(prove(branching("x"), branching("x")).outcome == Outcome::Equivalent);
  CHECK(prove(branching("x"), branching("once")).outcome == Outcome::Equivalent);
  CHECK(prove(branching("x"), branching("twice")).outcome == Outcome::Unknown);
  CHECK(prove(branching("x"), branching("x", "Sigmoid")).outcome == Outcome::Unknown);
}

TEST_CASE("Where a nested graph hides a name nobody knows what it reads") {
  const FileVerdict hidden =
      prove(branching("x", "Relu", "twice"), branching("once", "Relu", "twice"));
  CHECK(hidden.outcome == Outcome::Unknown);
  CHECK(hidden.reason.find("'twice'") != std::string::npos);
  CHECK(prove(branching("x", "Relu", "twice"), branching("x", "Relu", "twice")).outcome ==
        Outcome::Equivalent);  // a copy
}

TEST_CASE("A change beside a loop is judged for itself") {
  CHECK(prove(beside_a_loop(false, 3), beside_a_loop(true, 3)).outcome == Outcome::Equivalent);
  const FileVerdict other = prove(beside_a_loop(false, 3), beside_a_loop(true, 4));
  CHECK(other.outcome != Outcome::Equivalent);
}
