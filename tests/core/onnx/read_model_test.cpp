// Reading files. More than 400 lines, because the builders of its files serve all of its cases.
#include <catch2/catch.hpp>
#include <limits>

#include "core/onnx/model.h"
#include "core/ops/ops.h"
#include "tests/support/onnx_builder.h"

using namespace pet;
using pet::testing::OnnxBuilder;
using pet::testing::ScratchFolder;
using Attr = ::onnx::AttributeProto;

namespace {

Result<Model> read(const OnnxBuilder& builder, const ReadOptions& options = {}) {
  const ScratchFolder folder;
  return read_model(builder.save(folder / "m.onnx"), options);
}

void check_refused(const OnnxBuilder& builder, ErrorKind kind, const std::string& words) {
  const auto model = read(builder);
  REQUIRE_FALSE(model.ok());
  CHECK(model.error().kind == kind);
  INFO(model.error().message);
  CHECK(model.error().message.find(words) != std::string::npos);
  CHECK(model.error().message.find('\n') == std::string::npos);
}

const Node& value(const Model& model, const std::string& name) {
  return model.graph.node(model.values.at(name));
}

std::string content(const Model& model, const std::string& name) {
  return value(model, name).op()->text("content");
}

}  // namespace

TEST_CASE("Known_nodes_become_operators_with_inferred_types") {
  const auto model = read(pet::testing::conv_relu());
  REQUIRE(model.ok());
  CHECK(model->opaque.empty());
  CHECK(value(*model, "c").op()->def == &ops::conv());
  CHECK(value(*model, "y").type == float_tensor({1, 3, 4, 4}));
  CHECK(value(*model, "w").constant()->floats()[5] == 6.0F);
  CHECK(model->outputs.size() == 2);
  CHECK(model->graph.outputs().front() == model->values.at("y"));
  CHECK(model->origins[model->values.at("y").index()] == std::size_t{1});
  CHECK_FALSE(model->origins[model->values.at("x").index()].has_value());
  CHECK_FALSE(model->unprovable.has_value());
}

namespace {

void put_ints(::onnx::NodeProto& node, const char* name, const std::vector<std::int64_t>& list) {
  auto& attribute = OnnxBuilder::attribute(node, name, Attr::INTS);
  for (const std::int64_t x : list) attribute.add_ints(x);
}

void put_float(::onnx::NodeProto& node, const char* name, float value) {
  OnnxBuilder::attribute(node, name, Attr::FLOAT).set_f(value);
}

}  // namespace

TEST_CASE("Operator_sets_9_and_10_have_attributes_for_what_are_operands_later") {
  for (const std::int64_t opset : {9, 10, 11}) {
    OnnxBuilder b(opset);
    b.input("x", {4, 5});
    auto& slice = b.node("Slice", {"x"}, {"s"});
    put_ints(slice, "starts", {1, -3});
    put_ints(slice, "ends", {4, 100});
    auto& pad = b.node("Pad", {"x"}, {"p"});
    put_ints(pad, "pads", {1, 0, 0, 2});
    auto& filled = b.node("Pad", {"x"}, {"f"});
    put_ints(filled, "pads", {1, 0, 0, 2});
    put_float(filled, "value", -0.0F);
    auto& clip = b.node("Clip", {"x"}, {"c"});
    put_float(clip, "max", 6);
    b.output("x", {4, 5});
    INFO(opset);
    const auto model = read(b);
    REQUIRE(model.ok());
    const auto has_meaning = [&](const char* name) {
      return model->graph.has_meaning(model->values.at(name));
    };
    CHECK(has_meaning("s") == (opset == 9));
    CHECK(has_meaning("p") == (opset < 11));
    CHECK(has_meaning("c") == (opset < 11));
    CHECK_FALSE(has_meaning("f"));
    if (opset == 9) CHECK(value(*model, "s").type == float_tensor({3, 3}));
    if (opset < 11) CHECK(value(*model, "p").type == float_tensor({5, 7}));
  }
  check_refused(OnnxBuilder(8), ErrorKind::Unsupported, "operator set 8 is not supported");
}

TEST_CASE("Sizes_are_given_for_whole_inputs_and_for_the_batch") {
  OnnxBuilder b;
  b.input("x", {0, 3, 0});
  b.input("y", {0, 2});
  b.input("z", {4, 2});
  for (const auto& [input, axis] : {std::pair{0, 0}, {0, 2}, {1, 0}}) {
    auto& type = *b.graph().mutable_input(input)->mutable_type()->mutable_tensor_type();
    type.mutable_shape()->mutable_dim(axis)->clear_dim_value();
  }
  b.output("z", {4, 2});
  const auto shape_of = [&](const ReadOptions& options, const char* name) {
    const auto model = read(b, options);
    REQUIRE(model.ok());
    return *value(*model, name).type.shape;
  };
  const ReadOptions given{.dimensions = {}, .inputs = {{"x", {2, 3, 7}}}, .batch = 5};
  CHECK(shape_of(given, "x") == Shape{2, 3, 7});
  CHECK(shape_of(given, "y") == Shape{5, 2});
  CHECK(shape_of(given, "z") == Shape{4, 2});
  const ReadOptions named{.dimensions = {{"x:0", 6}, {"x:2", 1}}, .inputs = {}, .batch = 5};
  CHECK(shape_of(named, "x") == Shape{6, 3, 1});
  for (const Shape& wrong : {Shape{2, 4, 7}, Shape{2, 3}}) {
    const auto model = read(b, {.dimensions = {}, .inputs = {{"x", wrong}}, .batch = 1});
    REQUIRE_FALSE(model.ok());
    CHECK(model.error().kind == ErrorKind::Usage);
    CHECK(model.error().message.find("input 'x'") != std::string::npos);
  }
  const auto open = read(b, {.dimensions = {}, .inputs = {}, .batch = 1});
  REQUIRE_FALSE(open.ok());
  CHECK(open.error().message.find("--shape x:2=SIZE") != std::string::npos);
}

TEST_CASE("An_unknown_operator_is_opaque_and_so_is_what_reads_it") {
  auto b = pet::testing::conv_relu();
  b.node("Whatever", {"c"}, {"u"});
  b.node("Relu", {"u"}, {"v"});
  b.output("v", {7});
  const auto model = read(b);
  REQUIRE(model.ok());
  CHECK(model->opaque.size() == 2);
  CHECK(model->file_nodes[model->opaque[0].file_node].op_type == "Whatever");
  CHECK_FALSE(value(*model, "v").type.shape.has_value());
  CHECK_FALSE(model->outputs[2].type.shape.has_value());
  CHECK(model->outputs[2].declared.shape == Shape{7});
}

TEST_CASE("What_reads_an_operator_of_the_standard_without_a_meaning_is_read_at_its_shape") {
  OnnxBuilder b;
  b.input("ids", {2, 3}, 7);
  b.floats("table", {5, 4}, std::vector<float>(20, 1));
  b.node("Gather", {"table", "ids"}, {"rows"});
  b.node("Relu", {"rows"}, {"y"});
  b.output("y", {2, 3, 4});
  const auto model = read(b);
  REQUIRE(model.ok());
  REQUIRE(model->opaque.size() == 1);
  CHECK(value(*model, "rows").type == TensorType{DType::Float, Shape{2, 3, 4}});
  CHECK(value(*model, "y").op()->def == &ops::relu());
}

TEST_CASE("No_shape_is_known_where_runtimes_differ_or_a_function_of_the_file_is_called") {
  OnnxBuilder b;
  b.input("x", {1, 1, 5});
  auto& pool = b.node("LpPool", {"x"}, {"p"});
  auto& kernel = OnnxBuilder::attribute(pool, "kernel_shape", Attr::INTS);
  kernel.add_ints(2);
  b.node("Mine", {"x"}, {"h"});
  b.output("p", {1, 1, 4});
  b.output("h", {3}, 7);
  auto& function = *b.model.add_functions();
  function.set_name("Mine");
  function.add_input("a");
  function.add_output("b");
  function.add_opset_import()->set_version(17);
  auto& inner = *function.add_node();
  inner.set_op_type("Shape");
  inner.add_input("a");
  inner.add_output("b");
  const auto model = read(b);
  REQUIRE(model.ok());
  CHECK_FALSE(value(*model, "p").type.shape.has_value());
  CHECK_FALSE(value(*model, "h").type.shape.has_value());
  function.set_name("Hardmax");
  b.graph().mutable_node(1)->set_op_type("Hardmax");
  check_refused(b, ErrorKind::Malformed, "hides an operator");
}

TEST_CASE("The_library_of_the_standard_is_not_asked_what_would_bring_it_down") {
  OnnxBuilder b;
  b.input("x", {8, 1});
  b.input("i", {4, 4, 0}, 7);
  b.integers("none", {0}).clear_dims();
  auto& gather = b.node("GatherND", {"x", "i"}, {"g"});
  OnnxBuilder::attribute(gather, "batch_dims", Attr::INT).set_i(-1);
  b.node("SplitToSequence", {"x", "none"}, {"s"});
  b.output("g", {4, 4, 1});
  const auto model = read(b);
  REQUIRE(model.ok());
  CHECK(model->opaque.size() == 2);
  CHECK_FALSE(value(*model, "g").type.shape.has_value());
}

TEST_CASE("Nothing_is_known_of_what_a_newer_operator_set_does_not_have") {
  for (const std::int64_t opset : {17, 18}) {
    OnnxBuilder b(opset);
    b.input("x", {4}, 11);
    b.node("Split", {"x"}, {"y"});
    b.output("y", {4}, 11);
    const auto model = read(b);
    REQUIRE(model.ok());
    CHECK(value(*model, "y").type.shape.has_value() == (opset == 17));
  }
}

TEST_CASE("Statistics_of_doubles_are_floats_and_no_doubles") {
  OnnxBuilder b;
  b.input("x", {4, 3}, 11);
  b.input("scale", {3}, 11);
  b.node("LayerNormalization", {"x", "scale"}, {"y", "mean"});
  b.output("y", {4, 3}, 11);
  b.output("mean", {4, 1});
  const auto model = read(b);
  REQUIRE(model.ok());
  CHECK(value(*model, "y").type == TensorType{DType::Double, Shape{4, 3}});
  CHECK(value(*model, "mean").type == TensorType{DType::Undefined, std::nullopt});
}

TEST_CASE("A_text_may_spell_an_infinity") {
  OnnxBuilder b;
  b.input("x", {2});
  auto& text = b.node("Constant", {}, {"text"});
  OnnxBuilder::attribute(text, "value_string", Attr::STRING).set_s("-inf");
  auto& cast = b.node("Cast", {"text"}, {"mask"});
  OnnxBuilder::attribute(cast, "to", Attr::INT).set_i(1);
  b.node("Add", {"x", "mask"}, {"y"});
  b.output("y", {2});
  const auto model = read(b);
  REQUIRE(model.ok());
  CHECK(value(*model, "mask").type == TensorType{DType::Float, Shape{}});
  CHECK_FALSE(model->graph.has_meaning(model->values.at("y")));
}

TEST_CASE("What_may_be_infinite_by_a_constant_is_moved_and_is_no_part_of_sums") {
  OnnxBuilder b;
  b.input("c", {2, 3}, 9);
  b.input("x", {2, 3});
  b.floats("inf", {}, {-std::numeric_limits<float>::infinity()});
  b.floats("two", {}, {2});
  b.node("Where", {"c", "x", "inf"}, {"masked"});
  b.node("Add", {"masked", "x"}, {"sum"});
  b.node("Softmax", {"sum"}, {"s"});
  b.node("Mul", {"s", "two"}, {"y"});
  b.node("Exp", {"masked"}, {"e"});
  b.node("Mul", {"e", "two"}, {"z"});
  b.output("y", {2, 3});
  b.output("z", {2, 3});
  const auto model = read(b);
  REQUIRE(model.ok());
  CHECK_FALSE(model->graph.has_meaning(model->values.at("sum")));
  CHECK(model->graph.has_meaning(model->values.at("s")));  // is finite, be infinite what it is of
  CHECK(model->graph.has_meaning(model->values.at("y")));
  CHECK(model->graph.has_meaning(model->values.at("e")));
  CHECK_FALSE(model->graph.has_meaning(model->values.at("z")));
}

TEST_CASE("What_may_be_no_number_is_none_after_functions") {
  const auto is_computed_with = [](float constant, const std::string& arithmetic,
                                   const std::string& function) {
    OnnxBuilder b;
    b.input("c", {2, 3}, 9);
    b.input("x", {2, 3});
    b.floats("constant", {}, {constant});
    b.node("Where", {"c", "x", "constant"}, {"masked"});
    b.node(arithmetic, {"masked", arithmetic == "Sub" ? "masked" : "x"}, {"u"});
    b.node(function, {"u"}, {"s"});
    b.node("Sub", {"s", "s"}, {"y"});
    b.output("y", {2, 3});
    const auto model = read(b);
    REQUIRE(model.ok());
    return model->graph.has_meaning(model->values.at("y"));
  };
  const float infinity = std::numeric_limits<float>::infinity();
  for (const std::string function : {"Softmax", "Sigmoid", "Tanh", "Erf"}) {
    INFO(function);
    CHECK(is_computed_with(-infinity, "Add", function));
    CHECK_FALSE(is_computed_with(std::numeric_limits<float>::quiet_NaN(), "Add", function));
    CHECK_FALSE(is_computed_with(infinity, "Sub", function));  // infinity less infinity
    CHECK_FALSE(is_computed_with(infinity, "Mul", function));  // infinity times 0
  }
  CHECK_FALSE(is_computed_with(infinity, "Add", "HardSigmoid"));  // its alpha may be 0
}

TEST_CASE("What_a_node_without_a_meaning_makes_of_constants_may_be_infinite") {
  const auto is_computed_with = [](float number, bool is_half) {
    OnnxBuilder b;
    b.input("x", {2});
    if (is_half) {  // a weight stored in half the bits
      auto& tensor = *b.graph().add_initializer();
      tensor.set_name("h");
      tensor.set_data_type(10);
      tensor.set_raw_data(std::string("\0\x3c", 2));
    } else {
      b.floats("k", {}, {number});
      OnnxBuilder::attribute(b.node("Cast", {"k"}, {"h"}), "to", Attr::INT).set_i(10);
    }
    OnnxBuilder::attribute(b.node("Cast", {"h"}, {"m"}), "to", Attr::INT).set_i(1);
    b.node("Mul", {"x", "m"}, {"y"});
    b.output("y", {2});
    const auto model = read(b);
    REQUIRE(model.ok());
    return model->graph.has_meaning(model->values.at("y"));
  };
  CHECK_FALSE(is_computed_with(-1e9F, false));
  CHECK(is_computed_with(0, true));
}

// Runtimes refuse each of them, or read it in a way of their own.
TEST_CASE("A_node_that_its_operator_set_does_not_have_is_opaque") {
  struct Case {
    std::string op;
    std::vector<std::string> operands;
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> lists;
    std::vector<std::pair<std::string, std::int64_t>> numbers;
    std::string auto_pad;
    std::int64_t opset = 13;
    std::string reason;
  };
  const std::vector<std::pair<std::string, std::vector<std::int64_t>>> dilated = {
      {"kernel_shape", {2, 2}}, {"dilations", {3, 3}}};
  const std::vector<std::pair<std::string, std::vector<std::int64_t>>> padded = {
      {"kernel_shape", {2, 2}}, {"pads", {0, 0, 1, 1}}};
  const std::vector<Case> cases = {
      {"Flatten", {"x", "x"}, {}, {}, "", 13, "no Flatten of operator set 13"},
      {"Reshape", {"x", "narrow"}, {}, {}, "", 13, "operand 1 is int32"},
      {"Reshape", {"x", "narrow"}, {}, {}, "", 19, "shape is int32, not int64"},
      {"Reshape", {"x", "scalar"}, {}, {}, "", 13, "shape is no list"},
      {"Relu", {"x"}, {}, {{"axis", 1}}, "", 13, "no Relu of operator set 13"},
      {"Transpose", {"x"}, {{"perm", {0, 1, -1, 2}}}, {}, "", 13, "counts from the end"},
      {"ReduceMean", {"x"}, {}, {{"keepdims", 2}}, "", 13, "neither 0 nor 1"},
      {"MaxPool", {"x"}, {{"kernel_shape", {2, 2}}}, {{"ceil_mode", 2}}, "", 13, "neither 0 nor 1"},
      {"MaxPool", {"x"}, dilated, {}, "SAME_UPPER", 13, "auto_pad of dilated windows"},
      {"MaxPool", {"x"}, padded, {}, "SAME_UPPER", 13, "pads beside auto_pad"},
      {"Squeeze", {"x", "none"}, {}, {}, "", 13, "read in two ways"},
      {"ReduceSum", {"empty", "last"}, {}, {}, "", 13, "read in two ways"},
      {"ReduceMean", {"empty"}, {{"axes", {-1}}}, {}, "", 13, "read in two ways"},
      {"Pad", {"row", "beyond"}, {}, {}, "", 13, "crop more than axis 0"},
      {"ConvTranspose",
       {"x", "x"},
       {{"dilations", {2, 2}}, {"output_padding", {1, 1}}},
       {},
       "",
       13,
       "output_padding of 1 at a stride of 1"},
      {"Split", {"x"}, {}, {}, "", 18, "neither sizes nor their number"}};
  for (const Case& one : cases) {
    OnnxBuilder b(one.opset);
    b.input("x", {1, 1, 6, 6});
    auto& narrow = b.integers("narrow", {36});
    narrow.set_data_type(::onnx::TensorProto::INT32);
    narrow.set_raw_data(std::string("\x24\0\0\0", 4));
    b.integers("scalar", {36}).clear_dims();
    b.integers("none", {});
    b.integers("last", {-1});
    b.integers("beyond", {3, -2});
    b.input("empty", {0, 3});
    b.input("row", {1});
    auto& node = b.node(one.op, one.operands, {"u"});
    for (const auto& [name, list] : one.lists) {
      auto& attribute = OnnxBuilder::attribute(node, name, Attr::INTS);
      for (const auto x : list) attribute.add_ints(x);
    }
    for (const auto& [name, number] : one.numbers)
      OnnxBuilder::attribute(node, name, Attr::INT).set_i(number);
    if (!one.auto_pad.empty())
      OnnxBuilder::attribute(node, "auto_pad", Attr::STRING).set_s(one.auto_pad);
    b.output("u", {});
    const auto model = read(b);
    INFO(one.op << " " << one.reason);
    REQUIRE(model.ok());
    REQUIRE_FALSE(model->opaque.empty());
    CHECK(model->opaque.front().reason.find(one.reason) != std::string::npos);
  }
}

TEST_CASE("Names_of_nodes_mean_nothing_and_neither_does_their_order") {
  auto b = pet::testing::conv_relu();
  for (auto& node : *b.graph().mutable_node()) node.set_name("n");
  auto& nodes = *b.graph().mutable_node();
  for (int i = 0, k = nodes.size() - 1; i < k; ++i, --k) nodes.SwapElements(i, k);
  const auto model = read(b);
  REQUIRE(model.ok());
  CHECK_FALSE(model->unprovable.has_value());
  CHECK(model->opaque.empty());
  CHECK(model->file_nodes[0].op_type == b.graph().node(0).op_type());
}

TEST_CASE("Constant_nodes_and_typed_lists_mean_the_same_as_raw_bytes") {
  OnnxBuilder b;
  b.input("x", {2});
  b.floats("raw", {2}, {1, 2});
  auto& typed = b.floats("typed", {2}, {});
  typed.clear_raw_data();
  typed.add_float_data(1);
  typed.add_float_data(2);
  auto& listed =
      OnnxBuilder::attribute(b.node("Constant", {}, {"listed"}), "value_floats", Attr::FLOATS);
  listed.add_floats(1);
  listed.add_floats(2);
  auto& whole = OnnxBuilder::attribute(b.node("Constant", {}, {"whole"}), "value", Attr::TENSOR);
  OnnxBuilder::fill(*whole.mutable_t(), "", {2}, {1, 2});
  b.node("Add", {"x", "raw"}, {"y"});
  b.output("y", {2});
  const auto model = read(b);
  REQUIRE(model.ok());
  for (const auto* name : {"typed", "listed", "whole"})
    CHECK(model->values.at(name) == model->values.at("raw"));
}

TEST_CASE("An_initialiser_that_callers_can_override_is_an_input_with_a_default") {
  auto b = pet::testing::conv_relu();
  b.input("w", {3, 2, 1, 1});
  for (const int ir : {3, 8}) {
    b.model.set_ir_version(ir);
    const auto model = read(b);
    REQUIRE(model.ok());
    REQUIRE(model->inputs.size() == 2);
    CHECK(model->inputs[1].standard->floats()[0] == 1.0F);
    CHECK(model->inputs[0].standard == nullptr);
    CHECK(value(*model, "w").input() != nullptr);
  }
  b.graph().mutable_input()->RemoveLast();
  b.model.set_ir_version(3);
  check_refused(b, ErrorKind::Malformed, "initialiser 'w'");
}

TEST_CASE("Sizes_that_are_left_open_must_be_given_and_the_error_lists_them_all") {
  auto b = pet::testing::conv_relu();
  auto* shape = b.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape->mutable_dim(0)->set_dim_param("batch");
  shape->mutable_dim(3)->clear_value();
  b.graph().mutable_value_info()->Clear();
  for (auto& output : *b.graph().mutable_output())
    output.mutable_type()->mutable_tensor_type()->clear_shape();
  check_refused(b, ErrorKind::Usage, "--shape batch=SIZE --shape x:3=SIZE");
  const auto model = read(b, {.dimensions = {{"batch", 5}, {"x:3", 7}}});
  REQUIRE(model.ok());
  CHECK(value(*model, "y").type == float_tensor({5, 3, 4, 7}));
  CHECK(model->dimensions.size() == 2);
  // One name for two dimensions would tie them to each other.
  shape->mutable_dim(0)->set_dim_param("x:3");
  check_refused(b, ErrorKind::Unsupported, "has the name x:3 of one that has none");
}

TEST_CASE("Open_dimensions_are_told_once_each_and_no_others") {
  const ScratchFolder folder;
  auto b = pet::testing::conv_relu();
  CHECK(open_dimensions(b.save(folder / "closed.onnx"))->empty());
  auto* shape = b.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape->mutable_dim(0)->set_dim_param("batch");
  shape->mutable_dim(2)->set_dim_param("batch");
  shape->mutable_dim(3)->clear_value();
  CHECK(*open_dimensions(b.save(folder / "open.onnx")) == std::vector<std::string>{"batch", "x:3"});
  CHECK_FALSE(open_dimensions(folder / "nowhere.onnx"));
}

TEST_CASE("A_constant_that_is_not_finite_makes_its_operator_opaque_unless_it_only_moves_data") {
  OnnxBuilder b;
  b.input("x", {2});
  b.floats("inf", {2}, {1, std::numeric_limits<float>::infinity()});
  b.node("Add", {"x", "inf"}, {"y"});
  auto& concat = b.node("Concat", {"x", "inf"}, {"z"});
  OnnxBuilder::attribute(concat, "axis", Attr::INT).set_i(0);
  b.output("y", {2});
  b.output("z", {4});
  const auto model = read(b);
  REQUIRE(model.ok());
  REQUIRE(model->opaque.size() == 1);
  CHECK(model->opaque[0].reason.find("infinite") != std::string::npos);
  CHECK(value(*model, "z").op()->def == &ops::concat());
}

TEST_CASE("A_constant_that_is_not_finite_does_not_hide_that_an_operand_is_missing") {
  OnnxBuilder b(20);  // newer than the library that checks a node's form
  b.input("x", {1});
  b.floats("inf", {1}, {std::numeric_limits<float>::infinity()});
  b.node("Sub", {"inf"}, {"y"});
  b.output("y", {1});
  check_refused(b, ErrorKind::Malformed, "takes 2 to 2 operands, not 1");
}

TEST_CASE("Arithmetic_on_other_types_is_opaque_and_data_movement_is_not") {
  OnnxBuilder b;
  b.input("x", {2}, 11);
  b.node("Add", {"x", "x"}, {"y"});
  OnnxBuilder::attribute(b.node("Concat", {"x", "x"}, {"z"}), "axis", Attr::INT).set_i(0);
  b.output("y", {2}, 11);
  b.output("z", {4}, 11);
  const auto model = read(b);
  REQUIRE(model.ok());
  CHECK(model->opaque.size() == 1);
  CHECK(value(*model, "z").type == TensorType{DType::Double, Shape{4}});
}

TEST_CASE("Constants_without_plain_bytes_are_known_by_content_and_make_their_readers_opaque") {
  OnnxBuilder b;
  for (const auto* name : {"s", "t"}) {
    auto& tensor = *b.graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(8);
    tensor.add_dims(1);
    tensor.add_string_data(name);
  }
  b.node("Identity", {"s"}, {"y"});
  b.output("y", {1}, 8);
  const auto model = read(b);
  REQUIRE(model.ok());
  CHECK(model->opaque.size() == 1);
  CHECK(model->values.at("s") != model->values.at("t"));
  CHECK(value(*model, "s").constant()->type().dtype == DType::String);
}

TEST_CASE("Files_that_contradict_themselves_are_refused") {
  const auto base = pet::testing::conv_relu();
  auto b = base;
  SECTION("a value that nothing makes") {
    b.node("Relu", {"nowhere"}, {"q"});
    check_refused(b, ErrorKind::Malformed,
                  "node 'make_q' (Relu): reads 'nowhere', which nothing makes");
  }
  SECTION("nodes out of order, a cycle") {
    b.node("Relu", {"r"}, {"q"});
    b.node("Relu", {"q"}, {"r"});
    check_refused(b, ErrorKind::Malformed, "reads 'r', which node 'make_r'");
  }
  SECTION("a value made twice") {
    b.node("Relu", {"x"}, {"c"});
    check_refused(b, ErrorKind::Malformed, "value 'c' is defined twice");
  }
  SECTION("an output that nothing makes") {
    b.output("lost", {1});
    check_refused(b, ErrorKind::Malformed, "output 'lost'");
  }
  SECTION("an output that stands twice") {
    b.output("y", {1, 3, 4, 4});
    check_refused(b, ErrorKind::Malformed, "output 'y' stands twice");
  }
  SECTION("an initialiser that stands twice") {
    b.floats("w", {1}, {1});
    check_refused(b, ErrorKind::Malformed, "initialiser 'w' stands twice");
  }
  SECTION("a value_info that lies") {
    b.graph().mutable_value_info()->Clear();
    b.value_info("c", {1, 3, 4, 5});
    const auto model = read(b);
    REQUIRE(model);
    REQUIRE(model->stale.size() == 1);
    CHECK(model->stale[0].starts_with("value 'c': declared with extents [1,3,4,5]"));
  }
  SECTION("a declared type that lies") {
    b.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(11);
    check_refused(b, ErrorKind::Malformed, "value 'y': declared as double");
  }
  SECTION("an attribute that stands twice") {
    auto& node = b.node("Whatever", {"x"}, {"q"});
    OnnxBuilder::attribute(node, "a", Attr::INT).set_i(0);
    OnnxBuilder::attribute(node, "a", Attr::INT).set_i(1);
    check_refused(b, ErrorKind::Malformed, "attribute 'a' stands twice");
  }
  SECTION("an attribute with a value of another type") {
    auto& attribute = OnnxBuilder::attribute(b.node("Whatever", {"x"}, {"q"}), "a", Attr::FLOAT);
    attribute.set_f(1);
    attribute.set_i(1);
    check_refused(b, ErrorKind::Malformed, "attribute 'a': holds a value that is not of the type");
  }
  SECTION("shapes that do not fit") {
    b.node("Conv", {"y", "w"}, {"q"});
    check_refused(b, ErrorKind::Malformed, "node 'make_q' (Conv)");
  }
  SECTION("a domain that is not imported") {
    b.node("Relu", {"x"}, {"q"}, "other");
    check_refused(b, ErrorKind::Malformed, "domain 'other' is not imported");
  }
  SECTION("no graph") {
    b.model.clear_graph();
    check_refused(b, ErrorKind::Malformed, "without a graph");
  }
  SECTION("control characters in names are escaped") {
    b.node("Relu", {"a\x1b[31m\n"}, {"q"});
    check_refused(b, ErrorKind::Malformed, "a\\x1b[31m\\x0a");
  }
}

TEST_CASE("Hostile_extents_and_sizes_are_refused") {
  OnnxBuilder b;
  b.output("y", {1});
  SECTION("negative") {
    b.input("x", {2, -1});
    check_refused(b, ErrorKind::Malformed, "negative");
  }
  SECTION("a product that overflows") {
    b.input("x", {std::int64_t{1} << 62, std::int64_t{1} << 62, 4});
    check_refused(b, ErrorKind::Malformed, "too large");
  }
  SECTION("a constant that claims more than it has") {
    b.floats("w", {1 << 20, 1 << 15}, {1});
    check_refused(b, ErrorKind::Malformed, "4 bytes where");
  }
  SECTION("a typed list that is too short") {
    b.floats("w", {1 << 30}, {}).clear_raw_data();
    check_refused(b, ErrorKind::Malformed, "0 elements where");
  }
  SECTION("an element type that does not exist") {
    b.floats("w", {1}, {1}).set_data_type(77);
    check_refused(b, ErrorKind::Unsupported, "element type 77");
  }
}

TEST_CASE("Versions_out_of_reach_are_unsupported") {
  auto b = pet::testing::conv_relu();
  for (const int opset : {7, 8, 29}) {
    b.model.mutable_opset_import(0)->set_version(opset);
    check_refused(b, ErrorKind::Unsupported, "operator set");
  }
  b.model.mutable_opset_import(0)->set_version(28);
  CHECK(read(b).ok());
  b.model.mutable_opset_import(0)->set_version(9);
  CHECK(read(b).ok());
  b.model.set_ir_version(99);
  check_refused(b, ErrorKind::Unsupported, "IR version 99");
  b.model.clear_ir_version();
  check_refused(b, ErrorKind::Malformed, "IR version 0");
}

TEST_CASE("External_data_is_read_from_the_models_folder_only") {
  const ScratchFolder outer;
  std::filesystem::create_directory(outer / "in");
  const auto folder = outer / "in";
  const std::vector<float> values = {9, 1, 2, 3, 4, 5, 6};
  const std::string bytes(reinterpret_cast<const char*>(values.data()),
                          values.size() * sizeof(float));
  pet::testing::write_bytes(folder / "w.bin", bytes);
  pet::testing::write_bytes(outer / "out.bin", bytes);
  std::filesystem::create_symlink(outer / "out.bin", folder / "link.bin");
  std::filesystem::create_symlink(folder / "w.bin", folder / "good.bin");
  auto b = pet::testing::conv_relu();
  const auto read_at = [&](const std::string& location, const std::string& offset,
                           const std::string& length) {
    auto& w = *b.graph().mutable_initializer(0);
    w.clear_raw_data();
    w.clear_external_data();
    w.set_data_location(::onnx::TensorProto::EXTERNAL);
    const std::pair<std::string, std::string> entries[] = {
        {"location", location}, {"offset", offset}, {"length", length}};
    for (const auto& [key, text] : entries) {
      if (text.empty()) continue;
      auto* entry = w.add_external_data();
      entry->set_key(key);
      entry->set_value(text);
    }
    return read_model(b.save(folder / "m.onnx"));
  };
  for (const auto* location : {"w.bin", "good.bin"}) {
    const auto model = read_at(location, "4", "24");
    REQUIRE(model.ok());
    CHECK(value(*model, "w").constant()->floats()[5] == 6.0F);
  }
  CHECK(read_at("w.bin", "4", "").ok());
  CHECK(read_at("w.bin", "0", "24")->digest != read_at("w.bin", "4", "24")->digest);
  for (const auto* location : {"../out.bin", "link.bin", "", "absent.bin", "."})
    CHECK_FALSE(read_at(location, "0", "24").ok());
  CHECK(read_at("../out.bin", "0", "24").error().message.find("outside the model's folder") !=
        std::string::npos);
  CHECK(read_at("link.bin", "0", "24").error().message.find("outside the model's folder") !=
        std::string::npos);
  CHECK_FALSE(read_at((outer / "out.bin").string(), "0", "24").ok());
  CHECK_FALSE(read_at("w.bin", "8", "24").ok());
  CHECK_FALSE(read_at("w.bin", "18446744073709551612", "24").ok());
  CHECK_FALSE(read_at("w.bin", "0", "20").ok());
  CHECK_FALSE(read_at("w.bin", "-1", "24").ok());
}

TEST_CASE("Equal_opaque_nodes_are_one_and_any_difference_separates_them") {
  OnnxBuilder b;
  b.model.add_opset_import()->set_domain("my");
  b.input("x", {2});
  const auto add = [&](const std::string& out, const std::string& op,
                       const std::vector<std::string>& in,
                       const std::string& domain = "") -> ::onnx::NodeProto& {
    b.output(out, {2});
    return b.node(op, in, {out}, domain);
  };
  auto& raw = add("raw", "Thing", {"x"});
  OnnxBuilder::fill(*OnnxBuilder::attribute(raw, "t", Attr::TENSOR).mutable_t(), "name", {1}, {1});
  auto& typed = add("typed", "Thing", {"x"});
  auto& t = *OnnxBuilder::attribute(typed, "t", Attr::TENSOR).mutable_t();
  OnnxBuilder::fill(t, "other", {1}, {});
  t.clear_raw_data();
  t.add_float_data(1);
  auto& changed = add("changed", "Thing", {"x"});
  OnnxBuilder::fill(*OnnxBuilder::attribute(changed, "t", Attr::TENSOR).mutable_t(), "", {1}, {2});
  add("first", "Thing", {"x", "", "x"});
  add("second", "Thing", {"x", "x"});
  add("third", "Thing", {"x", "x", ""});
  add("mine", "Thing", {"x"}, "my");
  add("mine_too", "Thing", {"x"}, "my");
  add("random", "RandomNormalLike", {"x"});
  add("random_too", "RandomNormalLike", {"x"});
  add("dropout", "Dropout", {"x"});
  add("dropout_too", "Dropout", {"x"});
  const auto model = read(b);
  REQUIRE(model.ok());
  CHECK(model->values.at("raw") == model->values.at("typed"));
  CHECK(model->values.at("dropout") == model->values.at("dropout_too"));
  for (const auto& [a, c] : {std::pair{"raw", "changed"},
                             {"first", "second"},
                             {"second", "third"},
                             {"mine", "mine_too"},
                             {"random", "random_too"}}) {
    CHECK(content(*model, a) != content(*model, c));
  }
}

TEST_CASE("A_nested_graph_reads_what_it_captures_whatever_that_is_called") {
  const auto build = [](const std::string& outer, const std::string& op) {
    OnnxBuilder b;
    b.input("x", {2});
    b.input("flag", {}, 9);
    b.node("Relu", {"x"}, {outer});
    auto& branch = b.node("If", {"flag"}, {"y"});
    for (const auto* name : {"then_branch", "else_branch"}) {
      auto& g = *OnnxBuilder::attribute(branch, name, Attr::GRAPH).mutable_g();
      auto& node = *g.add_node();
      node.set_op_type(op);
      node.add_input(outer);
      node.add_output("local");
      g.add_output()->set_name("local");
    }
    b.output("y", {2});
    return read(b);
  };
  const auto a = build("h", "Sign");
  REQUIRE(a.ok());
  CHECK(value(*a, "y").operands == std::vector<NodeId>{a->values.at("flag"), a->values.at("h")});
  CHECK(a->nested.has_value());
  CHECK_FALSE(a->unprovable.has_value());
  CHECK(build("local", "Sign")->unprovable.has_value());  // hides what it reads
  CHECK(content(*a, "y") == content(*build("renamed", "Sign"), "y"));
  CHECK(content(*a, "y") != content(*build("h", "Neg"), "y"));
  CHECK(content(*build("h", "Bernoulli"), "y") != content(*a, "y"));
}

TEST_CASE("Local_functions_count_by_their_bodies") {
  const auto build = [](const std::string& inner, const std::string& name,
                        const std::string& domain) {
    OnnxBuilder b;
    auto& node = *b.function(name, domain, inner).mutable_node(0);
    if (inner == name) node.set_domain(domain);
    b.input("x", {2});
    b.node(name, {"x"}, {"y"}, domain);
    b.output("y", {2});
    return b;
  };
  const auto a = read(build("Sign", "Mine", "my"));
  REQUIRE(a.ok());
  CHECK(a->nested.has_value());
  CHECK_FALSE(a->unprovable.has_value());
  CHECK(content(*a, "y") == content(*read(build("Sign", "Mine", "my")), "y"));
  CHECK(content(*a, "y") != content(*read(build("Neg", "Mine", "my")), "y"));
  check_refused(build("Sign", "Relu", ""), ErrorKind::Malformed, "hides an operator");
  check_refused(build("Sign", "Cos", ""), ErrorKind::Malformed, "hides an operator");
  check_refused(build("Mine", "Mine", "my"), ErrorKind::Malformed, "calls itself");
}

// Field 11 of a function, of which this version of the messages knows nothing: attributes with
// defaults.
TEST_CASE("Defaults_of_a_functions_attributes_count_and_may_refer_to_nothing_else") {
  const auto build = [](const std::function<void(::onnx::AttributeProto&)>& fill) {
    OnnxBuilder b;
    auto& f = b.function("Mine", "my", "LeakyRelu");
    ::onnx::AttributeProto standard;
    standard.set_name("k");
    fill(standard);
    f.GetReflection()->MutableUnknownFields(&f)->AddLengthDelimited(11)->assign(
        standard.SerializeAsString());
    auto& attribute = *f.mutable_node(0)->add_attribute();
    attribute.set_name("alpha");
    attribute.set_type(Attr::FLOAT);
    attribute.set_ref_attr_name("k");
    b.input("x", {2});
    b.node("Mine", {"x"}, {"y"}, "my");
    b.output("y", {2});
    return b;
  };
  const auto number = [&](float x) {
    return build([x](::onnx::AttributeProto& k) {
      k.set_type(Attr::FLOAT);
      k.set_f(x);
    });
  };
  CHECK(content(*read(number(1)), "y") == content(*read(number(1)), "y"));
  CHECK(content(*read(number(1)), "y") != content(*read(number(2)), "y"));
  check_refused(build([](::onnx::AttributeProto& k) {
                  k.set_type(Attr::TENSOR);
                  k.mutable_t()->set_data_location(::onnx::TensorProto::EXTERNAL);
                }),
                ErrorKind::Unsupported, "the default of attribute 'k' is a tensor");
  check_refused(build([](::onnx::AttributeProto& k) {
                  k.set_type(Attr::GRAPH);
                  k.mutable_g()->add_node()->set_op_type("RandomNormal");
                }),
                ErrorKind::Unsupported, "the default of attribute 'k' is a tensor or a graph");
}
