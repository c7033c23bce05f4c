#include <catch2/catch.hpp>

#include "core/onnx/read_again.h"
#include "core/ops/ops.h"
#include "tests/support/onnx_builder.h"

using namespace pet;
using pet::testing::OnnxBuilder;
using pet::testing::ScratchFolder;

namespace {

using Attr = ::onnx::AttributeProto;

// The results of nodes of the program, operators alone.
std::vector<std::string> operators(const Model& model) {
  std::vector<std::string> out;
  for (const NodeId id : model.graph.ids())
    if (const Op* op = model.graph.node(id).op()) out.push_back(op->def->name);
  return out;
}

Result<Model> in_place(const OnnxBuilder& b) {
  const ScratchFolder folder;
  auto model = read_model(b.save(folder / "m.onnx"));
  REQUIRE(model);
  REQUIRE(model->nested);
  return read_in_place(*model);
}

::onnx::NodeProto& add(::onnx::FunctionProto& to, const std::string& op,
                       const std::vector<std::string>& inputs, const std::string& output) {
  auto& node = *to.add_node();
  node.set_op_type(op);
  for (const auto& name : inputs) node.add_input(name);
  node.add_output(output);
  return node;
}

::onnx::FunctionProto& function(OnnxBuilder& b, const std::string& name,
                                const std::vector<std::string>& inputs, std::int64_t opset = 17) {
  auto& out = *b.model.add_functions();
  out.set_domain("mine");
  out.set_name(name);
  for (const auto& input : inputs) out.add_input(input);
  out.add_output("y");
  out.add_opset_import()->set_version(opset);
  auto& own = *out.add_opset_import();
  own.set_domain("mine");
  own.set_version(1);
  return out;
}

OnnxBuilder calling(const std::vector<std::string>& operands) {
  OnnxBuilder b;
  auto& own = *b.model.add_opset_import();
  own.set_domain("mine");
  own.set_version(1);
  b.input("x", {2, 3});
  auto& call = b.node("F", operands, {"z"});
  call.set_domain("mine");
  b.output("z", {2, 3});
  return b;
}

}  // namespace

TEST_CASE("A function of the file is read in the place of its call") {
  auto b = calling({"x"});
  b.node("F", {"z"}, {"w"}).set_domain("mine");  // its inner names again
  b.output("w", {2, 3});
  auto& f = function(b, "F", {"a"});
  add(f, "Relu", {"a"}, "h");
  add(f, "Neg", {"h"}, "y");
  const auto model = in_place(b);
  REQUIRE(model);
  CHECK(model->opaque.empty());
  CHECK(operators(*model) ==
        std::vector<std::string>{"Relu", "Neg", "Identity", "Relu", "Neg", "Identity"});
}

TEST_CASE("Attributes of a call are those of the nodes that refer to them") {
  auto b = calling({"x"});
  auto& call = *b.graph().mutable_node(0);
  OnnxBuilder::attribute(call, "slope", Attr::FLOAT).set_f(0.25F);
  auto& f = function(b, "F", {"a"});
  f.add_attribute("slope");
  auto& leaky = add(f, "LeakyRelu", {"a"}, "y");
  auto& alpha = *leaky.add_attribute();
  alpha.set_name("alpha");
  alpha.set_type(Attr::FLOAT);
  alpha.set_ref_attr_name("slope");
  const auto model = in_place(b);
  REQUIRE(model);
  REQUIRE(operators(*model).front() == "LeakyRelu");
  const NodeId first = model->graph.node(model->values.at("z")).operands[0];
  CHECK(model->graph.node(first).op()->real("alpha") == 0.25);
}

TEST_CASE("What cannot be read in place stays a call") {
  SECTION("of another operator set") {
    auto b = calling({"x"});
    add(function(b, "F", {"a"}, 13), "Relu", {"a"}, "y");
    const auto model = in_place(b);
    REQUIRE(model);
    CHECK(model->opaque.size() == 1);
  }
  SECTION("that reads a value of the graph outside") {
    auto b = calling({"x"});
    b.node("Neg", {"x"}, {"outside"});
    b.graph().mutable_node()->SwapElements(0, 1);
    add(function(b, "F", {"a"}), "Add", {"a", "outside"}, "y");
    const ScratchFolder folder;
    const auto model = read_model(b.save(folder / "m.onnx"));
    if (!model) return;  // it may be refused as a whole
    const auto read = read_in_place(*model);
    REQUIRE(read);
    CHECK(read->opaque.size() == 1);
  }
  SECTION("with more operands than the function has") {
    auto b = calling({"x", "x"});
    add(function(b, "F", {"a"}), "Relu", {"a"}, "y");
    const auto model = in_place(b);
    REQUIRE(model);
    CHECK(model->opaque.size() == 1);
  }
}

TEST_CASE("An If by a constant is the branch that it takes") {
  for (const bool condition : {false, true}) {
    OnnxBuilder b;
    b.input("x", {2, 3});
    auto& c = *b.graph().add_initializer();
    c.set_name("c");
    c.set_data_type(9);
    c.set_raw_data(std::string(1, condition ? '\1' : '\0'));
    auto& choice = b.node("If", {"c"}, {"y"});
    for (const auto& [branch, op] : {std::pair{"then_branch", "Relu"}, {"else_branch", "Neg"}}) {
      auto& graph = *OnnxBuilder::attribute(choice, branch, Attr::GRAPH).mutable_g();
      graph.set_name(branch);
      auto& node = *graph.add_node();
      node.set_op_type(op);
      node.add_input("x");
      node.add_output("inner");
      OnnxBuilder::declare(*graph.add_output(), "inner", {2, 3});
    }
    b.output("y", {2, 3});
    const auto model = in_place(b);
    REQUIRE(model);
    CHECK(model->opaque.empty());
    CHECK(operators(*model).front() == (condition ? "Relu" : "Neg"));
  }
}
