#include "tests/fuzz/hostile/seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/common/files.h"
#include "core/egraph/serialize.h"
#include "core/onnx/export.h"
#include "core/onnx/weight_programs.h"
#include "core/program/constant_folder.h"
#include "core/util/check.h"
#include "tests/core/egraph/random_problem.h"
#include "tests/support/onnx_builder.h"
#include "tests/support/sketch.h"

namespace pet::fuzz {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::OnnxBuilder;

std::vector<fs::path> files_of(const fs::path& folder, std::string_view extension) {
  auto files = app::files_below(folder, std::array{extension});
  PET_CHECK(files.ok() && !files->empty(), "the repository has files to start from");
  return *std::move(files);
}

// Of a rule what is read.
Json essence(const Json& rule) {
  Json out = Json::object();
  for (const char* key : {"id", "inputs", "source", "target", "generator_shapes", "status",
                          "geometry", "condition"}) {
    if (rule.contains(key)) out[key] = rule[key];
  }
  return out;
}

ModelPair bias_apart() {
  OnnxBuilder a;
  OnnxBuilder b;
  for (OnnxBuilder* file : {&a, &b}) {
    file->input("x", {1, 2, 4, 4});
    file->output("y", {1, 3, 4, 4});
    file->floats("w", {3, 2, 1, 1}, {1, 2, 3, 4, 5, 6});
    file->floats("bias", {3}, {0.5F, -1, 2});
  }
  a.node("Conv", {"x", "w", "bias"}, {"c"});
  b.node("Conv", {"x", "w"}, {"d"});
  b.integers("shape", {1, 3, 1, 1});
  b.node("Reshape", {"bias", "shape"}, {"bias4"});
  b.node("Add", {"bias4", "d"}, {"c"});
  for (OnnxBuilder* file : {&a, &b}) file->node("Relu", {"c"}, {"y"});
  return {a.bytes(), b.bytes(), {}};
}

ModelPair open_sizes() {
  OnnxBuilder a;
  OnnxBuilder b;
  for (OnnxBuilder* file : {&a, &b}) {
    file->input("x", {1, 4, 6});
    auto& extents = *file->graph().mutable_input(0)->mutable_type()->mutable_tensor_type();
    extents.mutable_shape()->mutable_dim(0)->set_dim_param("n");
    file->output("y", {1, 24});
    auto& results = *file->graph().mutable_output(0)->mutable_type()->mutable_tensor_type();
    results.mutable_shape()->mutable_dim(0)->set_dim_param("n");
  }
  a.integers("zero", {0});
  a.integers("rest", {24});
  a.node("Shape", {"x"}, {"shape"});
  a.node("Gather", {"shape", "zero"}, {"n0"});
  auto& joined = a.node("Concat", {"n0", "rest"}, {"to"});
  OnnxBuilder::attribute(joined, "axis", ::onnx::AttributeProto::INT).set_i(0);
  a.node("Reshape", {"x", "to"}, {"y"});
  b.node("Flatten", {"x"}, {"y"});
  return {a.bytes(), b.bytes(), {{"n", 3}}};
}

std::string written(const Graph& graph, const WeightPrograms& programs, const fs::path& folder) {
  const fs::path path = folder / "seed.onnx";
  PET_CHECK(write_program(graph, 17, path).ok(), "a small program is written");
  OnnxBuilder file;
  PET_CHECK(file.model.ParseFromString(testing::read_bytes(path)), "a file just written");
  fs::remove(path);
  if (!programs.results.empty()) {
    const auto text = encoded(programs);
    PET_CHECK(text.ok(), "small weight programs");
    auto* entry = file.model.add_metadata_props();
    entry->set_key(std::string(kWeightProgramsKey));
    entry->set_value(*text);
  }
  return file.bytes();
}

ModelPair folded(const fs::path& folder) {
  test::Sketch sketch;
  const NodeId x = sketch.input("in0", {2, 3});
  const NodeId scale = sketch.ramp({2, 3}, 0.3F);
  const NodeId weight = sketch.op("Mul", {sketch.ramp({2, 3}), scale});
  const NodeId y = sketch.op("Mul", {x, weight});
  const Graph original = std::move(sketch).finish({y});
  ConstantFolder folder_of_constants(original, 1, {});
  const auto file = folder_of_constants.fold(original);
  PET_CHECK(file.ok(), "a constant that can be folded");
  const WeightPrograms programs = std::move(folder_of_constants).programs();
  return {written(original, {}, folder), written(file->program, programs, folder), {}};
}

ModelPair nested() {
  OnnxBuilder file = testing::conv_relu();
  file.model.add_opset_import()->set_domain("my");
  auto& function = *file.model.add_functions();
  function.set_name("Mine");
  function.set_domain("my");
  function.add_input("a");
  function.add_output("b");
  function.add_opset_import()->set_version(17);
  auto& inside = *function.add_node();
  inside.set_op_type("Sign");
  inside.add_input("a");
  inside.add_output("b");
  file.node("Mine", {"x"}, {"m"}, "my");
  auto& choice = file.node("If", {"y"}, {"i"});
  auto& branch =
      *OnnxBuilder::attribute(choice, "then_branch", ::onnx::AttributeProto::GRAPH).mutable_g();
  auto& node = *branch.add_node();
  node.set_op_type("Sign");
  node.add_input("y");
  node.add_output("local");
  branch.add_output()->set_name("local");
  return {file.bytes(), file.bytes(), {}};
}

std::string name_of(std::size_t number, const char* what) {
  return fmt::format("{}{}", what, number);
}

}  // namespace

std::vector<std::string> case_seeds(const fs::path& folder) {
  std::vector<std::string> out;
  for (const fs::path& file : files_of(folder, ".txt")) out.push_back(testing::read_bytes(file));
  return out;
}

std::vector<std::string> rule_seeds(const fs::path& folder) {
  std::vector<std::string> out;
  for (const fs::path& file : files_of(folder, ".json")) {
    const Json json = Json::parse(testing::read_bytes(file));
    for (const Json& rule : json.at("rules")) {
      Json one{{"format", json.at("format")}, {"rules", Json::array({essence(rule)})}};
      if (json.contains("numeric_semantics")) one["numeric_semantics"] = json["numeric_semantics"];
      out.push_back(one.dump());
    }
  }
  return out;
}

std::vector<std::string> egraph_seeds() {
  constexpr int kEGraphs = 40;
  std::vector<std::string> out;
  Rng rng(1);
  for (int i = 0; i < kEGraphs; ++i) {
    egraph::NamedProblem one;
    one.problem = test::random_problem(rng);
    for (std::size_t node = 0; node < one.problem.nodes.size(); ++node) {
      one.nodes.push_back(name_of(node, "n"));
      one.operators.push_back("f");
    }
    for (std::size_t number = 0; number < one.problem.classes.size(); ++number)
      one.classes.push_back(name_of(number, "c"));
    out.push_back(write_egraph(one));
  }
  return out;
}

std::vector<ModelPair> model_seeds(const fs::path& folder) {
  return {bias_apart(), open_sizes(), folded(folder), nested()};
}

std::vector<std::string> manifest_seeds(std::vector<std::string> cases,
                                        const std::vector<ModelPair>& models,
                                        const fs::path& folder) {
  constexpr std::size_t kMostCases = 12;
  std::sort(cases.begin(), cases.end(), [](const std::string& a, const std::string& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);
  });
  cases.resize(std::min(cases.size(), kMostCases));
  std::vector<Json> lines;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string file = name_of(i, "case") + ".txt";
    testing::write_bytes(folder / file, cases[i]);
    lines.push_back({{"name", name_of(i, "pair ")}, {"case", file}});
    if (i % 2 == 0)
      lines.back()["expect"] = i % 4 == 0 ? "equivalent" : "partial wrong=[0,1)x[0,2)";
  }
  for (std::size_t i = 0; i < models.size(); ++i) {
    const std::string a = name_of(i, "a") + ".onnx";
    const std::string b = name_of(i, "b") + ".onnx";
    testing::write_bytes(folder / a, models[i].a);
    testing::write_bytes(folder / b, models[i].b);
    lines.push_back({{"a", a}, {"b", b}, {"outputs", "by-position"}});
    if (!models[i].sizes.empty()) lines.back()["shape"] = models[i].sizes;
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i + 2 < lines.size(); ++i) {
    std::string text;
    for (std::size_t k = i; k <= i + i % 3; ++k) text += lines[k].dump() + "\n";
    out.push_back(std::move(text));
  }
  return out;
}

}  // namespace pet::fuzz
