// The form in which programs are rewritten: there and back on every bundled model.
#include "core/rewrite/normal_form.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/onnx/model.h"
#include "core/onnx/text.h"
#include "core/ops/ops.h"
#include "core/program/difference.h"
#include "datasets/models/models.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/weights.h"
#include "verify/pairs/engines.h"
#include "verify/pairs/pair_proof.h"

using namespace pet;

namespace {

std::size_t in_other_forms(const Graph& graph) {
  std::size_t out = 0;
  for (const Node& node : graph.nodes()) {
    const OpDef* def = node.op() == nullptr ? nullptr : node.op()->def;
    out +=
        static_cast<std::size_t>((def == &ops::conv() && node.operands.size() == 3) ||
                                 def == &ops::gemm() || def == &ops::split() || def == &ops::sum());
  }
  return out;
}

// How many nodes had another form.
std::size_t check_there_and_back(const Graph& program) {
  const auto there = rules::normal_form(program);
  REQUIRE(there.ok());
  const auto back = rules::written_form(there->program, *there);
  REQUIRE(back.ok());
  const auto changed = differences(program, *back, "pet");
  INFO((changed ? "" : changed.error().message));
  REQUIRE(changed.ok());
  CHECK(changed->empty());
  return there->file_nodes.size();
}

TEST_CASE("There and back the program of every bundled model is what it was") {
  const testing::ScratchFolder folder;
  std::size_t other = 0;
  for (const datasets::ModelInfo& info : datasets::list_models()) {
    CAPTURE(info.name);
    datasets::ModelRequest request;
    request.name = info.name;
    request.tiny = true;
    request.batch = 1;
    const auto path = folder / "model.onnx";
    REQUIRE(datasets::build_model(request, path).ok());
    const auto model = read_model(path, {.dimensions = {{"sequence", 8}}, .batch = 1});
    INFO((model ? "" : model.error().message));
    REQUIRE(model.ok());
    other += check_there_and_back(model->graph);
    CHECK(in_other_forms(rules::normal_form(model->graph)->program) == 0);
  }
  CHECK(other > 100);
}

TEST_CASE("There and back every case that can be read is what it was") {
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PET_CASES)) {
    if (entry.path().extension() != ".txt") continue;
    const auto file = read_case(entry.path());
    if (!file) continue;
    CAPTURE(entry.path().string());
    check_there_and_back(file->original.graph);
    check_there_and_back(file->mutant.graph);
    ++read;
  }
  CHECK(read > 100);
}

// Values and the forms of one product, in one program.
Graph products() {
  GraphBuilder b;
  Rng rng(2);
  const NodeId x = b.add_input("x", float_tensor({3, 4}));
  const NodeId w = test::normal_weight(b, {5, 4}, rng);
  const NodeId c = test::normal_weight(b, {5}, rng);
  const NodeId g = *b.add(ops::gemm(), {{"transB", std::int64_t{1}}, {"alpha", 0.5}, {"beta", 3.0}},
                          {x, w, c}, "g");
  const NodeId first =
      *b.add(ops::split(),
             {{"axis", std::int64_t{1}}, {"begin", std::int64_t{0}}, {"end", std::int64_t{2}}}, {g},
             "first");
  const NodeId other =
      *b.add(ops::split(),
             {{"axis", std::int64_t{1}}, {"begin", std::int64_t{3}}, {"end", std::int64_t{5}}}, {g},
             "other");
  b.add_output(*b.add(ops::sum(), {}, {first, other, first}, "sum"));
  return std::move(b).build();
}

TEST_CASE("A normal form computes the same") {
  const Graph program = products();
  const auto there = rules::normal_form(program);
  REQUIRE(there.ok());
  CHECK(there->file_nodes.size() == 4);
  const Engines engines = engines_called("exact");
  ProofOptions options;
  options.bind_weights = true;
  CHECK(prove_pair(program, there->program, pointers(engines), options).outcome ==
        Outcome::Equivalent);
  check_there_and_back(program);
}

TEST_CASE("A product of two computed values keeps its factor") {
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({3, 3}));
  b.add_output(*b.add(ops::gemm(), {{"alpha", 0.5}}, {x, x}, "g"));
  const Graph program = std::move(b).build();
  const auto there = rules::normal_form(program);
  REQUIRE(there.ok());
  CHECK(there->program.digest() == program.digest());
}

TEST_CASE("A bias that a file has apart stays apart") {
  GraphBuilder b;
  Rng rng(1);
  const NodeId x = b.add_input("x", float_tensor({1, 2, 5, 5}));
  const NodeId conv = *b.add(ops::conv(), {}, {x, test::normal_weight(b, {3, 2, 3, 3}, rng)}, "c");
  const NodeId bias =
      *b.add(ops::reshape(), {{"shape", Ints{3, 1, 1}}}, {test::normal_weight(b, {3}, rng)}, "r");
  b.add_output(*b.add(ops::add(), {}, {conv, bias}, "y"));
  const Graph program = std::move(b).build();
  const auto back = rules::written_form(program, {});
  REQUIRE(back.ok());
  CHECK(back->digest() == program.digest());
}

}  // namespace
