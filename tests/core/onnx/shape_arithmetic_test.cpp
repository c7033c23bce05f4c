// Integer values that follow from shapes: which become constants, and which must not.
#include <catch2/catch.hpp>
#include <limits>

#include "core/ir/builder.h"
#include "core/onnx/export.h"
#include "core/ops/ops.h"
#include "core/util/rng.h"
#include "tests/support/onnx_builder.h"

using namespace pet;
using pet::testing::OnnxBuilder;
using pet::testing::ScratchFolder;
using Attr = ::onnx::AttributeProto;

namespace {

constexpr int kInt64 = 7;
constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
constexpr auto kMax = std::numeric_limits<std::int64_t>::max();

void set_integer(::onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  OnnxBuilder::attribute(node, name, Attr::INT).set_i(value);
}

// y = Reshape(x, [Shape(x)[0], -1])
OnnxBuilder view(int opset = 17) {
  OnnxBuilder b(opset);
  b.input("x", {4, 3, 2});
  b.integers("zero", {0});
  b.integers("minus", {-1});
  b.node("Shape", {"x"}, {"s"});
  b.node("Gather", {"s", "zero"}, {"n"});
  set_integer(b.node("Concat", {"n", "minus"}, {"target"}), "axis", 0);
  b.node("Reshape", {"x", "target"}, {"y"});
  b.output("y", {4, 6});
  return b;
}

void leave_open(::onnx::ValueInfoProto& value, int axis, const std::string& name) {
  value.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(axis)->set_dim_param(
      name);
}

Result<Model> read(const OnnxBuilder& builder, const ReadOptions& options = {}) {
  const ScratchFolder folder;
  return read_model(builder.save(folder / "m.onnx"), options);
}

std::vector<std::int64_t> integers_of(const Model& model, const std::string& name) {
  const Tensor* tensor = model.graph.node(model.values.at(name)).constant();
  REQUIRE(tensor != nullptr);
  return {tensor->ints().begin(), tensor->ints().end()};
}

// The value of a node of two integer lists, or why it has none.
struct Outcome {
  std::vector<std::int64_t> value;
  std::string reason;
};
Outcome outcome(OnnxBuilder& b, const std::string& value, int type = kInt64) {
  b.input("unused", {1});
  b.output(value, {}, type);
  b.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  const auto model = read(b);
  INFO((model.ok() ? "" : model.error().message));
  REQUIRE(model.ok());
  if (!model->opaque.empty()) return {{}, model->opaque[0].reason};
  return {integers_of(*model, value), ""};
}
Outcome outcome(const std::string& op, const std::vector<std::int64_t>& left,
                const std::vector<std::int64_t>& right) {
  OnnxBuilder b;
  b.integers("left", left);
  b.integers("right", right);
  b.node(op, {"left", "right"}, {"r"});
  return outcome(b, "r");
}

using List = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("A_reshape_to_a_computed_shape_is_known_once_all_sizes_are") {
  const auto model = read(view());
  REQUIRE(model.ok());
  CHECK(model->opaque.empty());
  CHECK(integers_of(*model, "target") == List{4, -1});
  CHECK(model->outputs[0].type == float_tensor({4, 6}));
  CHECK(model->dimensions.empty());
}

TEST_CASE("Sizes_that_a_computed_shape_holds_at_are_on_record") {
  auto b = view();
  leave_open(*b.graph().mutable_input(0), 0, "batch");
  leave_open(*b.graph().mutable_output(0), 0, "batch");
  CHECK(read(b).error().kind == ErrorKind::Usage);
  const auto model = read(b, {.dimensions = {{"batch", 5}}});
  REQUIRE(model.ok());
  CHECK(integers_of(*model, "target") == List{5, -1});
  CHECK(model->dimensions == std::map<std::string, Dim>{{"batch", 5}});
  // The same without the arithmetic is the same program.
  OnnxBuilder fixed;
  fixed.input("x", {5, 3, 2});
  fixed.integers("shape", {5, -1});
  fixed.node("Reshape", {"x", "shape"}, {"y"});
  fixed.output("y", {5, 6});
  const auto other = read(fixed);
  REQUIRE(other.ok());
  CHECK(other->outputs[0].type == model->outputs[0].type);
  CHECK(*other->graph.node(other->outputs[0].id).op() ==
        *model->graph.node(model->outputs[0].id).op());
}

TEST_CASE("The_size_of_a_default_that_a_caller_can_override_is_on_record") {
  auto b = view();
  b.floats("x", {4, 3, 2}, std::vector<float>(24, 1));
  leave_open(*b.graph().mutable_input(0), 0, "batch");
  const auto model = read(b);
  REQUIRE(model.ok());
  CHECK(model->dimensions == std::map<std::string, Dim>{{"batch", 4}});
  b.input("z", {3});
  b.floats("z", {3}, {1, 2, 3});
  leave_open(*b.graph().mutable_input(1), 0, "batch");
  const auto torn = read(b);
  REQUIRE_FALSE(torn.ok());
  CHECK(torn.error().message.find("batch") != std::string::npos);
}

TEST_CASE("A_list_that_a_caller_can_override_is_no_constant") {
  auto b = view();
  SECTION("an index") { b.input("zero", {1}, kInt64); }
  SECTION("a part of the shape") { b.input("minus", {1}, kInt64); }
  const auto model = read(b);
  REQUIRE(model.ok());
  CHECK_FALSE(model->opaque.empty());
  CHECK(model->graph.node(model->values.at("target")).constant() == nullptr);
  CHECK_FALSE(model->outputs[0].type.shape.has_value());
}

TEST_CASE("The_shape_of_an_opaque_value_is_unknown_whatever_is_declared") {
  OnnxBuilder b;
  b.input("x", {4, 3, 2});
  b.node("Whatever", {"x"}, {"o"});
  b.value_info("o", {4, 3, 2});
  b.node("Shape", {"o"}, {"s"});
  b.node("Reshape", {"x", "s"}, {"y"});
  b.output("y", {4, 3, 2});
  const auto model = read(b);
  REQUIRE(model.ok());
  REQUIRE(model->opaque.size() == 3);
  CHECK(model->opaque[1].reason == "Shape: the shape of its operand is unknown");
  CHECK_FALSE(model->outputs[0].type.shape.has_value());
}

TEST_CASE("A_value_info_that_lies_about_computed_integers_is_not_believed") {
  auto b = view();
  b.value_info("target", {3}, kInt64);
  const auto model = read(b);
  REQUIRE(model.ok());
  REQUIRE(model->stale.size() == 1);
  CHECK(model->stale[0].starts_with("value 'target': declared with extents [3]"));
  auto of_wrong_type = view();
  of_wrong_type.value_info("target", {2}, 6);
  const auto refused = read(of_wrong_type);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::Malformed);
  CHECK(refused.error().message.find("'target'") != std::string::npos);
}

TEST_CASE("Integers_are_exact_or_refused") {
  CHECK(outcome("Add", {kMax, 1}, {-1, 2}).value == List{kMax - 1, 3});
  CHECK(outcome("Add", {kMax}, {1}).reason == "Add: an integer overflows");
  CHECK(outcome("Sub", {kMin}, {1}).reason == "Sub: an integer overflows");
  CHECK(outcome("Mul", {kMax / 2 + 1}, {2}).reason == "Mul: an integer overflows");
  CHECK(outcome("Mul", {kMin}, {1}).value == List{kMin});
  CHECK(outcome("Div", {-7, 7, -7, 7}, {2, -2, -2, 2}).value == List{-3, -3, 3, 3});
  CHECK(outcome("Div", {1}, {0}).reason == "Div: not defined for these integers");
  CHECK(outcome("Div", {kMin}, {-1}).reason == "Div: not defined for these integers");
  CHECK(outcome("Pow", {2}, {3}).reason == "Pow: not interpreted on integers");
  CHECK(outcome("Gather", {5, 6, 7}, {-1, 0, -3}).value == List{7, 5, 5});
  CHECK(outcome("Gather", {5, 6, 7}, {3}).reason == "Gather: no element 3 of 3");
  CHECK(outcome("Gather", {5, 6, 7}, {-4}).reason == "Gather: no element -4 of 3");
  CHECK(outcome("Expand", {5}, {3}).value == List{5, 5, 5});
}

TEST_CASE("A_cast_to_the_type_that_a_value_has_is_the_value") {
  const auto casted = [](int to) {
    OnnxBuilder b;
    b.input("x", {2});
    set_integer(b.node("Cast", {"x"}, {"y"}), "to", to);
    b.output("y", {2}, to);
    return read(b);
  };
  CHECK(casted(1)->graph.node(casted(1)->values.at("y")).op()->def == &ops::identity());
  CHECK(casted(1)->opaque.empty());
  CHECK(casted(11)->opaque.size() == 1);
}

TEST_CASE("A_large_list_is_data_and_stays_an_operator") {
  OnnxBuilder b;
  b.integers("few", {5});
  b.integers("many", {5000});
  b.node("Expand", {"few", "many"}, {"r"});
  b.output("r", {5000}, kInt64);
  const auto model = read(b);
  REQUIRE(model.ok());
  CHECK(model->graph.node(model->values.at("r")).op()->def == &ops::expand());
}

TEST_CASE("A_type_that_cannot_hold_a_result_is_refused") {
  const auto casted = [](std::int64_t value, int to) {
    OnnxBuilder b;
    b.integers("c", {value});
    set_integer(b.node("Cast", {"c"}, {"narrow"}), "to", to);
    set_integer(b.node("Cast", {"narrow"}, {"r"}), "to", kInt64);
    return outcome(b, "r");
  };
  CHECK(casted(-7, 6).value == List{-7});
  CHECK(casted(-7, 9).value == List{1});
  {  // it is no constant: what it is, is left to the function that Cast is
    OnnxBuilder b;
    b.integers("c", {std::int64_t{1} << 31});
    set_integer(b.node("Cast", {"c"}, {"r"}), "to", 6);
    b.output("r", {1}, 6);
    const auto model = read(b);
    REQUIRE(model.ok());
    CHECK(model->graph.node(model->values.at("r")).constant() == nullptr);
  }
  CHECK(casted(7, 10).reason == "Cast: no type 10 holds the values");
  OnnxBuilder b;
  b.integers("c", {1 << 30});
  set_integer(b.node("Cast", {"c"}, {"narrow"}), "to", 6);
  b.node("Add", {"narrow", "narrow"}, {"r"});
  CHECK(outcome(b, "r", 6).reason == "Add: no int32 holds the result");
}

TEST_CASE("Shape_is_cut_from_operator_set_15_on") {
  const auto cut = [](int opset, std::int64_t start, std::int64_t end) {
    OnnxBuilder b(opset);
    b.input("x", {2, 3, 5});
    auto& node = b.node("Shape", {"x"}, {"r"});
    set_integer(node, "start", start);
    set_integer(node, "end", end);
    return outcome(b, "r");
  };
  CHECK(cut(15, 1, 3).value == List{3, 5});
  CHECK(cut(15, -1, 7).value == List{5});
  CHECK(cut(15, -9, -1).value == List{2, 3});
  CHECK(cut(15, 2, 1).value.empty());
  CHECK(cut(15, 2, 1).reason.empty());
  CHECK(cut(13, 1, 3).reason ==
        "no Shape of operator set 13: Unrecognized attribute: start for operator Shape");
}

TEST_CASE("Ranges_and_fills_are_bounded") {
  const auto range = [](const List& bounds) {
    OnnxBuilder b;
    for (std::size_t i = 0; i < 3; ++i) b.integers("b" + std::to_string(i), {bounds[i]});
    b.node("Range", {"b0", "b1", "b2"}, {"r"});
    return outcome(b, "r");
  };
  CHECK(range({5, -2, -3}).value == List{5, 2, -1});
  CHECK(range({5, 5, 1}).value.empty());
  CHECK(range({0, 9, 0}).reason == "Range: a range by steps of 0");
  CHECK(range({0, 1 << 20, 1}).reason == "Range: too large for shape arithmetic");
  CHECK(range({kMin, kMax, kMax}).reason == "Range: a range of enormous numbers");
  const auto filled = [](const List& shape) {
    OnnxBuilder b;
    b.integers("shape", shape);
    auto& value =
        OnnxBuilder::attribute(b.node("ConstantOfShape", {"shape"}, {"r"}), "value", Attr::TENSOR);
    value.mutable_t()->set_data_type(kInt64);
    value.mutable_t()->add_dims(1);
    value.mutable_t()->add_int64_data(-1);
    return outcome(b, "r");
  };
  CHECK(filled({3}).value == List{-1, -1, -1});
  CHECK(filled({0}).value.empty());
  CHECK_FALSE(filled({-1}).reason.empty());
  CHECK_FALSE(filled({1 << 20, 1 << 20}).reason.empty());
}

TEST_CASE("Whatever_the_integers_are_there_is_a_value_or_a_reason") {
  constexpr const char* kOps[] = {
      "Add",       "Sub",    "Mul",      "Div",       "Gather",         "Concat",    "Slice",
      "Range",     "Where",  "Equal",    "Cast",      "Expand",         "Reshape",   "Shape",
      "Squeeze",   "Size",   "Pad",      "Split",     "Gemm",           "Transpose", "Flatten",
      "Unsqueeze", "MatMul", "Identity", "ReduceSum", "ConstantOfShape"};
  constexpr const char* kAttributes[] = {"axis", "to", "start", "end", "keepdims", "num_outputs"};
  constexpr std::int64_t kHostile[] = {kMin, kMax, std::int64_t{1} << 40, -(std::int64_t{1} << 31)};
  Rng rng(22);
  const auto draw = [&] { return rng.below(6) == 0 ? kHostile[rng.below(4)] : rng.between(-3, 6); };
  std::size_t constants = 0;
  for (int round = 0; round < 6000; ++round) {
    OnnxBuilder b(static_cast<int>(rng.between(11, 23)));
    b.input("x", {2, 3});
    std::vector<std::string> operands;
    for (auto n = rng.between(0, 4); n > 0; --n) {
      operands.push_back("c" + std::to_string(n));
      List values(rng.below(7));
      for (auto& value : values) value = draw();
      auto& tensor = b.integers(operands.back(), values);
      if (values.size() == 1 && rng.below(2) == 0) tensor.clear_dims();
      if (values.size() == 6 && rng.below(2) == 0) {
        tensor.set_dims(0, 2);
        tensor.add_dims(3);
      }
      if (rng.below(12) == 0) operands.back() = rng.below(2) == 0 ? "" : "x";
    }
    auto& node = b.node(kOps[rng.below(std::size(kOps))], operands, {"r"});
    if (rng.below(2) == 0)
      set_integer(node, kAttributes[rng.below(std::size(kAttributes))], draw());
    b.output("r", {}, kInt64);
    b.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
    b.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_elem_type();
    const auto model = read(b);
    if (!model) {
      REQUIRE_FALSE(model.error().message.empty());
    } else if (model->graph.node(model->values.at("r")).constant() != nullptr) {
      ++constants;
    }
  }
  CHECK(constants > 200);  // most draws contradict themselves; these compute something
}

TEST_CASE("The_nodes_that_compute_a_shape_stay_in_the_file") {
  const ScratchFolder folder;
  auto b = view();
  b.node("Relu", {"y"}, {"z"});
  b.output("z", {4, 6});
  const auto source = b.save(folder / "a.onnx");
  const auto model = read_model(source);
  REQUIRE(model.ok());
  REQUIRE(write_model(*model, folder / "b.onnx").ok());
  CHECK(pet::testing::read_bytes(source) == pet::testing::read_bytes(folder / "b.onnx"));
  GraphBuilder builder;
  const NodeId y = builder.add_input("y", float_tensor({4, 6}));
  builder.add_output(*builder.add(ops::relu(), {}, {y}));
  const Replacement replacement{
      std::move(builder).build(), {model->values.at("y")}, {model->values.at("z")}, "new"};
  REQUIRE(write_rewritten(*model, std::span(&replacement, 1), {}, folder / "c.onnx").ok());
  ::onnx::ModelProto written;
  REQUIRE(written.ParseFromString(pet::testing::read_bytes(folder / "c.onnx")));
  for (int i = 0; i < 4; ++i) {
    CHECK(written.graph().node(i).SerializeAsString() == b.graph().node(i).SerializeAsString());
  }
}

// r has the shape [4,6], and the file computes that list from r: a new r must not read it there.
TEST_CASE("A_replacement_that_needs_a_list_does_not_read_the_one_that_depends_on_it") {
  const ScratchFolder folder;
  OnnxBuilder b;
  b.input("x", {4, 6});
  b.input("q", {6, 4});
  b.node("Relu", {"x"}, {"r"});
  b.node("Shape", {"r"}, {"s"});
  b.node("Reshape", {"q", "s"}, {"y"});
  b.output("r", {4, 6});
  b.output("y", {4, 6});
  const auto model = read_model(b.save(folder / "a.onnx"));
  REQUIRE(model.ok());
  REQUIRE(model->opaque.empty());
  GraphBuilder builder;
  const NodeId x = builder.add_input("x", float_tensor({4, 6}));
  const auto turned = builder.add(ops::reshape(), Attrs{{"shape", Ints{6, 4}}}, {x});
  const auto back = builder.add(ops::reshape(), Attrs{{"shape", Ints{4, 6}}}, {*turned});
  builder.add_output(*builder.add(ops::relu(), {}, {*back}));
  const Replacement replacement{
      std::move(builder).build(), {model->values.at("x")}, {model->values.at("r")}, "new"};
  const auto done = write_rewritten(*model, std::span(&replacement, 1), {}, folder / "b.onnx");
  REQUIRE(done.ok());
  const auto again = read_model(folder / "b.onnx");
  REQUIRE(again.ok());
  CHECK(again->opaque.empty());
  CHECK(again->outputs[1].type == float_tensor({4, 6}));
}
