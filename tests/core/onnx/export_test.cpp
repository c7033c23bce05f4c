#include "core/onnx/export.h"

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>

#include "core/ir/builder.h"
#include "core/onnx/inventory.h"
#include "core/ops/ops.h"
#include "tests/support/onnx_builder.h"
#include "tests/support/weights.h"

using namespace pet;
using pet::testing::OnnxBuilder;
using pet::testing::ScratchFolder;
using Attr = ::onnx::AttributeProto;

namespace {

::onnx::ModelProto parsed(const std::filesystem::path& path) {
  ::onnx::ModelProto model;
  REQUIRE(model.ParseFromString(pet::testing::read_bytes(path)));
  return model;
}

std::vector<std::string> node_names(const ::onnx::ModelProto& model) {
  std::vector<std::string> names;
  for (const auto& node : model.graph().node()) names.push_back(node.name());
  return names;
}

// The value as its own program: the operator that makes it, on inputs.
Replacement same_again(const Model& model, const std::string& value) {
  const NodeId id = model.values.at(value);
  const Node& node = model.graph.node(id);
  GraphBuilder builder;
  std::vector<NodeId> operands;
  for (const NodeId operand : node.operands) {
    operands.push_back(
        builder.add_input("i" + std::to_string(operands.size()), model.graph.node(operand).type));
  }
  builder.add_output(*builder.add(*node.op(), operands));
  return {std::move(builder).build(), node.operands, {id}, "again"};
}

}  // namespace

TEST_CASE("A_model_with_nothing_changed_is_written_byte_for_byte") {
  const ScratchFolder folder;
  const auto source = pet::testing::conv_relu().save(folder / "a.onnx");
  const auto model = read_model(source);
  REQUIRE(model.ok());
  REQUIRE(write_model(*model, folder / "b.onnx").ok());
  CHECK(pet::testing::read_bytes(source) == pet::testing::read_bytes(folder / "b.onnx"));
  // The file that was read is what counts, not what stands in its place later.
  pet::testing::write_bytes(source, "something else");
  REQUIRE(write_model(*model, folder / "c.onnx").ok());
  CHECK(read_model(folder / "c.onnx")->graph.digest() == model->graph.digest());
}

TEST_CASE("A_replaced_value_keeps_its_name_and_everything_else_stays") {
  const ScratchFolder folder;
  auto b = pet::testing::conv_relu();
  b.graph().set_doc_string("about");
  b.model.add_metadata_props()->set_key("old");
  auto& replaced = *b.graph().mutable_node(0);
  replaced.set_doc_string("the first layer");
  const std::string metadata = "\n\x01k\x12\x01v";  // NodeProto.metadata_props: k = v
  replaced.GetReflection()->MutableUnknownFields(&replaced)->AddLengthDelimited(9, metadata);
  b.node("Neg", {"x"}, {"dead_before"});
  b.node("Neg", {"y"}, {"opaque"});
  b.output("opaque", {1, 3, 4, 4});
  const auto model = read_model(b.save(folder / "a.onnx"));
  REQUIRE(model.ok());
  const Replacement replacement = same_again(*model, "c");
  REQUIRE(
      write_rewritten(*model, std::span(&replacement, 1), {{"new", "1"}}, folder / "b.onnx").ok());
  const auto out = parsed(folder / "b.onnx");
  CHECK(node_names(out) == std::vector<std::string>{"make_c/again/Conv", "make_y", "make_z",
                                                    "make_dead_before", "make_opaque"});
  CHECK(out.graph().node(0).output(0) == "c");
  const auto& made = out.graph().node(0);
  CHECK(made.doc_string() == "the first layer");
  const auto& more = made.GetReflection()->GetUnknownFields(made);
  REQUIRE(more.field_count() == 1);
  CHECK(more.field(0).length_delimited() == metadata);
  CHECK(out.graph().node(1).SerializeAsString() == b.graph().node(1).SerializeAsString());
  CHECK(out.graph().doc_string() == "about");
  CHECK(out.graph().value_info_size() == 1);
  CHECK(out.metadata_props_size() == 2);
  CHECK(read_model(folder / "b.onnx")->graph.digest() == model->graph.digest());
}

TEST_CASE("What_only_the_replaced_nodes_needed_goes_and_new_constants_come") {
  const ScratchFolder folder;
  const auto b = pet::testing::conv_relu();
  const auto model = read_model(b.save(folder / "a.onnx"));
  REQUIRE(model.ok());
  GraphBuilder builder;
  const NodeId x = builder.add_input("x", float_tensor({1, 2, 4, 4}));
  const NodeId w = builder.add_constant(test::float_constant({3, 2, 1, 1}, {6, 5, 4, 3, 2, 1}));
  builder.add_output(*builder.add(ops::relu(), {}, {*builder.add(ops::conv(), {}, {x, w})}));
  const Replacement replacement{
      std::move(builder).build(), {model->values.at("x")}, {model->values.at("y")}, "new"};
  REQUIRE(write_rewritten(*model, std::span(&replacement, 1), {}, folder / "b.onnx").ok());
  const auto out = parsed(folder / "b.onnx");
  CHECK(node_names(out) ==
        std::vector<std::string>{"make_y/new/Conv", "make_y/new/Relu", "make_z"});
  REQUIRE(out.graph().initializer_size() == 1);
  CHECK(out.graph().initializer(0).name() == "make_y/new/constant");
  CHECK(out.graph().value_info_size() == 0);
  const auto again = read_model(folder / "b.onnx");
  REQUIRE(again.ok());
  CHECK(again->outputs[0].type == model->outputs[0].type);
}

TEST_CASE("Constants_that_the_file_has_are_used_again_and_old_files_get_constant_nodes") {
  const ScratchFolder folder;
  for (const int ir : {3, 8}) {
    auto b = pet::testing::conv_relu();
    b.model.set_ir_version(ir);
    if (ir == 3) b.input("w", {3, 2, 1, 1});
    const auto model = read_model(b.save(folder / "a.onnx"));
    REQUIRE(model.ok());
    GraphBuilder builder;
    const NodeId x = builder.add_input("x", float_tensor({1, 2, 4, 4}));
    const NodeId w = builder.add_constant(test::float_constant({3, 2, 1, 1}, {1, 2, 3, 4, 5, 6}));
    builder.add_output(*builder.add(ops::conv(), {}, {x, w}));
    const Replacement replacement{
        std::move(builder).build(), {model->values.at("x")}, {model->values.at("c")}, "new"};
    REQUIRE(write_rewritten(*model, std::span(&replacement, 1), {}, folder / "b.onnx").ok());
    const auto out = parsed(folder / "b.onnx");
    CHECK(out.graph().initializer_size() == 1);
    CHECK(out.graph().node_size() == (ir == 3 ? 4 : 3));
    CHECK(out.graph().node(0).op_type() == (ir == 3 ? "Constant" : "Conv"));
    CHECK(read_model(folder / "b.onnx").ok());
  }
}

TEST_CASE("Equal_values_of_several_names_are_all_replaced") {
  const ScratchFolder folder;
  auto b = pet::testing::conv_relu();
  b.node("Conv", {"x", "w"}, {"c2"});
  b.output("c2", {1, 3, 4, 4});
  const auto model = read_model(b.save(folder / "a.onnx"));
  REQUIRE(model.ok());
  const Replacement replacement = same_again(*model, "c");
  REQUIRE(write_rewritten(*model, std::span(&replacement, 1), {}, folder / "b.onnx").ok());
  const auto out = read_model(folder / "b.onnx");
  REQUIRE(out.ok());
  CHECK(out->outputs[2].name == "c2");
  CHECK(parsed(folder / "b.onnx").graph().node_size() == 4);
}

TEST_CASE("Several_replacements_that_feed_each_other_are_put_in_order") {
  const ScratchFolder folder;
  const auto model = read_model(pet::testing::conv_relu().save(folder / "a.onnx"));
  REQUIRE(model.ok());
  const std::vector<Replacement> both = {same_again(*model, "y"), same_again(*model, "c")};
  REQUIRE(write_rewritten(*model, both, {}, folder / "b.onnx").ok());
  CHECK(read_model(folder / "b.onnx")->graph.digest() == model->graph.digest());
}

TEST_CASE("A_value_that_a_nested_graph_captures_can_be_replaced") {
  const ScratchFolder folder;
  auto b = pet::testing::conv_relu();
  b.input("flag", {}, 9);
  auto& branch = b.node("If", {"flag"}, {"i"});
  for (const auto* name : {"then_branch", "else_branch"}) {
    auto& g = *OnnxBuilder::attribute(branch, name, Attr::GRAPH).mutable_g();
    auto& node = *g.add_node();
    node.set_op_type("Sign");
    node.add_input("c");
    node.add_output("i");
    g.add_output()->set_name("i");
  }
  b.output("i", {1, 3, 4, 4});
  b.graph().mutable_output()->DeleteSubrange(0, 1);
  const auto model = read_model(b.save(folder / "a.onnx"));
  REQUIRE(model.ok());
  const Replacement replacement = same_again(*model, "c");
  REQUIRE(write_rewritten(*model, std::span(&replacement, 1), {}, folder / "b.onnx").ok());
  const auto out = read_model(folder / "b.onnx");
  REQUIRE(out.ok());
  CHECK(out->graph.node(out->values.at("i")).operands.back() == out->values.at("c"));
}

TEST_CASE("Sizes_given_for_reading_are_written_where_something_changed") {
  const ScratchFolder folder;
  auto b = pet::testing::conv_relu();
  for (auto* value :
       {b.graph().mutable_input(0), b.graph().mutable_output(0), b.graph().mutable_value_info(0)}) {
    value->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_param(
        "batch");
  }
  b.graph()
      .mutable_output(1)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(0)
      ->set_dim_param("batch");
  const auto model = read_model(b.save(folder / "a.onnx"), {.dimensions = {{"batch", 3}}});
  REQUIRE(model.ok());
  const Replacement replacement = same_again(*model, "c");
  REQUIRE(write_rewritten(*model, std::span(&replacement, 1), {}, folder / "b.onnx").ok());
  const auto out = read_model(folder / "b.onnx");
  REQUIRE(out.ok());
  CHECK(out->inputs[0].type == float_tensor({3, 2, 4, 4}));
  CHECK(out->outputs[1].declared == float_tensor({3, 2, 4, 4}));
  CHECK(parsed(folder / "b.onnx")
            .graph()
            .value_info(0)
            .type()
            .tensor_type()
            .shape()
            .dim(0)
            .dim_value() == 3);
}

TEST_CASE("External_data_is_taken_in_when_the_file_moves") {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "in");
  auto b = pet::testing::conv_relu();
  auto& w = *b.graph().mutable_initializer(0);
  pet::testing::write_bytes(folder / "in/w.bin", w.raw_data());
  w.clear_raw_data();
  w.set_data_location(::onnx::TensorProto::EXTERNAL);
  auto* entry = w.add_external_data();
  entry->set_key("location");
  entry->set_value("w.bin");
  const auto model = read_model(b.save(folder / "in/a.onnx"));
  REQUIRE(model.ok());
  REQUIRE(write_model(*model, folder / "moved.onnx").ok());
  REQUIRE(write_model(*model, folder / "in/beside.onnx").ok());
  CHECK(read_model(folder / "moved.onnx")->graph.digest() == model->graph.digest());
  CHECK(parsed(folder / "moved.onnx").graph().initializer(0).has_raw_data());
  CHECK_FALSE(parsed(folder / "in/beside.onnx").graph().initializer(0).has_raw_data());
  CHECK(stored_bytes(*model) == std::filesystem::file_size(folder / "in/a.onnx") +
                                    std::filesystem::file_size(folder / "in/w.bin"));
}

TEST_CASE("A_program_alone_reads_back_as_itself") {
  const ScratchFolder folder;
  const auto model = read_model(pet::testing::conv_relu().save(folder / "a.onnx"));
  REQUIRE(model.ok());
  REQUIRE(write_program(model->graph, 17, folder / "p.onnx").ok());
  const auto again = read_model(folder / "p.onnx");
  REQUIRE(again.ok());
  CHECK(again->opaque.empty());
  CHECK(again->outputs[1].name == "out1");
  CHECK(again->graph.node(again->values.at("out0")).type == model->outputs[0].type);
}

TEST_CASE("A_program_alone_has_the_same_bytes_whatever_its_values_are_called") {
  const ScratchFolder folder;
  const auto written = [&](const std::string& name) {
    GraphBuilder builder;
    const auto x = builder.add_input(name + "x", float_tensor({2}));
    const auto shared = test::float_constant({2}, {1, 2});
    const auto c = builder.add_constant(shared, name + "c");
    const auto sum = builder.add(*ops::find("Add"), {}, {x, c}, name + "sum");
    REQUIRE(sum.ok());
    builder.add_output(*builder.add(*ops::find("Relu"), {}, {*sum}, name + "y"));
    REQUIRE(write_program(std::move(builder).build(), 17, folder / "p.onnx").ok());
    return pet::testing::read_bytes(folder / "p.onnx");
  };
  CHECK(written("a") == written("b"));
}

TEST_CASE("A_program_that_is_written_with_its_names_has_them_once_each") {
  const ScratchFolder folder;
  GraphBuilder builder;
  const auto x = builder.add_input("x", float_tensor({2}));
  const auto c = builder.add_constant(test::float_constant({2}, {1, 2}), "c");
  const auto add = [&](std::vector<NodeId> operands, const std::string& name) {
    auto made = builder.add(*ops::find("Add"), {}, std::move(operands), name);
    REQUIRE(made.ok());
    return *made;
  };
  const auto first = add({x, c}, "sum");
  const auto second = add({first, c}, "sum");
  const auto third = add({second, c}, "");
  builder.add_output(add({third, c}, "y"));
  builder.add_output(first);
  builder.add_output(x);
  REQUIRE(write_named_program(std::move(builder).build(), folder / "p.onnx").ok());
  const auto again = read_model(folder / "p.onnx");
  REQUIRE(again.ok());
  CHECK(again->inputs[0].name == "x");
  std::vector<std::string> nodes, outputs;
  for (const FileNode& node : again->file_nodes) nodes.push_back(node.name);
  for (const ModelOutput& output : again->outputs) outputs.push_back(output.name);
  CHECK(nodes == std::vector<std::string>{"sum", "sum_1", "node/Add", "y", "node/Identity"});
  CHECK(outputs == std::vector<std::string>{"y", "sum", "x_1"});
  CHECK(again->values.contains("c"));
}

TEST_CASE("What_cannot_be_written_is_said_and_leaves_nothing_behind") {
  const ScratchFolder folder;
  const auto model = read_model(pet::testing::conv_relu().save(folder / "a.onnx"));
  REQUIRE(model.ok());
  const auto refused = [&](const std::filesystem::path& path) {
    const auto done = write_model(*model, path);
    return !done.ok() && done.error().message.find("cannot write") != std::string::npos;
  };
  CHECK(refused(folder / "absent/b.onnx"));
  CHECK(refused("/dev/null"));
  CHECK(refused("/proc/b.onnx"));
  std::filesystem::create_directory(folder / "dir");
  CHECK(refused(folder / "dir"));
  const auto before = folder.files();
  pet::testing::write_bytes(folder / "target.onnx", "old");
  struct rlimit limit {};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  const struct rlimit tight { 64, limit.rlim_max };
  std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &tight);
  const bool full = refused(folder / "target.onnx");
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, SIG_DFL);
  CHECK(full);
  CHECK(pet::testing::read_bytes(folder / "target.onnx") == "old");
  CHECK(folder.files() == before + 1);
}
