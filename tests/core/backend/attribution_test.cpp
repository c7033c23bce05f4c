#include "core/backend/attribution.h"

#include <catch2/catch.hpp>

#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

Model read(const testing::OnnxBuilder& builder) {
  const testing::ScratchFolder folder;
  auto model = read_model(builder.save(folder / "m.onnx"));
  REQUIRE(model.ok());
  return *std::move(model);
}

OperatorTime took(std::string name, std::string type, std::vector<double> ms, int calls = 1) {
  return {std::move(name), std::move(type), calls, std::move(ms)};
}

TEST_CASE("An operator is that of the node of its name, else of what makes the value") {
  const Model model = read(testing::conv_relu());
  const OperatorProfile profile{
      {10, 12, 20},
      {took("ReorderInput", "ReorderInput", {1, 1, 1}, 2), took("y_nchwc", "Conv", {6, 8, 7}),
       took("make_z", "Add", {1, 1, 1}),
       took("ReorderOutput_token_46", "ReorderOutput", {0, 0, 0})}};
  const auto times = attributed(profile, model);
  REQUIRE(times.size() == 5);
  CHECK(times[0].named_after == NamedAfter::Runtime);
  CHECK_FALSE(times[0].file_node);
  CHECK(times[0].calls == 2);
  CHECK(times[1].named_after == NamedAfter::Value);
  CHECK(times[1].file_node == 1);  // the Relu: of a fused operator the last
  CHECK(times[1].name == "y");
  CHECK(times[1].type == "Conv");
  CHECK(times[1].ms == 7);
  CHECK(times[1].share == Approx(7.0 / 12));
  CHECK(times[1].samples == 3);
  CHECK(times[2].named_after == NamedAfter::Node);
  CHECK(times[2].file_node == 2);
  CHECK(times[3].named_after == NamedAfter::Runtime);
}

TEST_CASE(
    "What a run takes beyond its operators is an entry of its own, so that all add up to it") {
  const Model model = read(testing::conv_relu());
  const auto times = attributed({{10, 12, 20}, {took("make_c", "Conv", {9, 2, 10})}}, model);
  REQUIRE(times.size() == 2);
  CHECK(times[1].named_after == NamedAfter::Rest);
  CHECK(times[1].ms == 3);  // of 12, 9 of which are the operator's
  CHECK(times[0].share + times[1].share == Approx(1));
  CHECK(times[1].samples == 3);
  // Operators that ran at the same time leave less than nothing, and that is said.
  CHECK(attributed({{10}, {took("a", "A", {8}), took("b", "B", {8})}}, model).back().ms == -6);
}

TEST_CASE("Names that ONNX Runtime decorates lead back to their nodes, and no others do") {
  auto builder = testing::conv_relu();
  builder.graph().mutable_node(0)->set_name("/layer/MatMul");
  const Model model = read(builder);
  const auto after = [&](const std::string& name) {
    return attributed({{1}, {took(name, "T", {1})}}, model)[0];
  };
  CHECK(after("/layer/MatMul/MatMulAddFusion").file_node == 0);
  CHECK(after("make_y_new_reshape").file_node == 1);
  CHECK(after("c_nchwc_token_12").file_node == 0);
  for (const std::string other : {"c_nchwc_token_x", "make", "make_y_", "_nchwc", "", "x_nchwc"})
    CHECK(after(other).named_after == NamedAfter::Runtime);
}

TEST_CASE("A node without a name is found by the type and number that ONNX Runtime gives it") {
  testing::OnnxBuilder b;
  b.input("x", {4});
  auto& constant = b.node("Constant", {}, {"k"});
  auto& value = testing::OnnxBuilder::attribute(constant, "value", ::onnx::AttributeProto::TENSOR);
  testing::OnnxBuilder::fill(*value.mutable_t(), "", {4}, {1, 2, 3, 4});
  b.node("Relu", {"x"}, {"r"});
  b.node("Add", {"r", "k"}, {"y"});
  b.output("y", {4});
  for (auto& node : *b.graph().mutable_node()) node.clear_name();
  const Model model = read(b);
  const auto times =
      attributed({{9}, {took("Relu_0", "Relu", {1}), took("Add_1", "Add", {2})}}, model);
  CHECK(times[0].file_node == 1);
  CHECK(times[0].name == "r");  // what it makes
  CHECK(times[1].file_node == 2);
  CHECK(times[1].name == "y");
}

TEST_CASE("The estimate has each node of the file once, with shares that add up") {
  const Model model = read(testing::conv_relu());
  const auto times = estimated(model, {});
  REQUIRE(times.size() == 3);
  double shares = 0, ms = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    CHECK(times[i].file_node == i);
    CHECK(times[i].name == model.file_nodes[i].name);
    shares += times[i].share;
    ms += times[i].ms;
  }
  CHECK(shares == Approx(1));
  CHECK(ms == Approx(analytic_ms(work_of(model.graph), {})));
}

}  // namespace
}  // namespace pet
