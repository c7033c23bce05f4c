// The form in which programs are rewritten: there and back on every bundled model.
#include "core/rewrite/normal_form.h"

#include <catch2/catch.hpp>

#include "core/onnx/model.h"
#include "core/ops/ops.h"
#include "core/program/difference.h"
#include "datasets/models/models.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/weights.h"

using namespace pet;

namespace {

std::size_t convolutions_with_bias(const Graph& graph) {
  std::size_t out = 0;
  for (const Node& node : graph.nodes())
    if (node.op() != nullptr && node.op()->def == &ops::conv() && node.operands.size() == 3) ++out;
  return out;
}

TEST_CASE("There and back a model's program is what it was") {
  const testing::ScratchFolder folder;
  std::size_t biases = 0;
  for (const char* name : {"densenet121", "resnet18", "resnet3d18", "bert-pet", "pair", "csrnet",
                           "vit-b16-2021", "bert-base"}) {
    CAPTURE(name);
    datasets::ModelRequest request;
    request.name = name;
    request.tiny = true;
    request.batch = 1;
    const auto path = folder / (std::string(name) + ".onnx");
    REQUIRE(datasets::build_model(request, path).ok());
    const auto model = read_model(path);
    INFO((model ? "" : model.error().message));
    REQUIRE(model.ok());
    biases += convolutions_with_bias(model->graph);
    const auto there = rules::with_biases_apart(model->graph);
    REQUIRE(there.ok());
    CHECK(convolutions_with_bias(*there) == 0);
    const auto back = rules::with_biases_inside(*there);
    REQUIRE(back.ok());
    const auto changed = differences(model->graph, *back, "pet");
    INFO((changed ? "" : changed.error().message));
    REQUIRE(changed.ok());
    CHECK(changed->empty());
  }
  CHECK(biases > 10);
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
  const auto back = rules::with_biases_inside(program);
  REQUIRE(back.ok());
  CHECK(back->digest() == program.digest());
}

}  // namespace
