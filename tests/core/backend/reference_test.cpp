#include "core/backend/reference.h"

#include <catch2/catch.hpp>

#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

using testing::OnnxBuilder;

constexpr int kInt64 = 7;

ReferenceBackend reference() {
  return ReferenceBackend({.name = "reference", .version = "1", .device = "here", .threads = 1});
}

TEST_CASE("The reference computes what the operators mean") {
  const testing::ScratchFolder folder;
  auto backend = reference();
  const auto model = backend.load(testing::conv_relu().save(folder / "m.onnx"), {});
  REQUIRE(model.ok());
  REQUIRE(model->inputs.size() == 1);
  CHECK(model->inputs[0].name == "x");
  std::vector<float> x(32, 1);
  x[0] = -10;  // channel 0 at the first position
  const std::vector<NamedTensor> inputs{{"x", Tensor::of_floats({1, 2, 4, 4}, x)}};
  const auto outputs = backend.run(model->id, inputs);
  REQUIRE(outputs.ok());
  REQUIRE(outputs->size() == 2);
  CHECK((*outputs)[0].name == "y");
  const auto y = (*outputs)[0].tensor.floats();
  CHECK(y[0] == 0);   // 1 * -10 + 2 * 1, and Relu
  CHECK(y[1] == 3);   // 1 + 2
  CHECK(y[17] == 7);  // 3 + 4
  CHECK((*outputs)[1].tensor.floats()[0] == -20);
}

TEST_CASE("A node without a definition is named") {
  const testing::ScratchFolder folder;
  OnnxBuilder b;
  b.input("x", {4});
  b.node("Det", {"x"}, {"y"});
  b.output("y", {4});
  auto backend = reference();
  const auto model = backend.load(b.save(folder / "m.onnx"), {});
  REQUIRE_FALSE(model.ok());
  CHECK(model.error().kind == ErrorKind::Unsupported);
  for (const std::string part : {"m.onnx", "'make_y' (Det)", "not interpreted", "--target ort"})
    CHECK(model.error().message.find(part) != std::string::npos);
}

TEST_CASE("A node that no output needs may be anything") {
  const testing::ScratchFolder folder;
  auto b = testing::conv_relu();
  b.node("Det", {"x"}, {"unused"});
  auto backend = reference();
  CHECK(backend.load(b.save(folder / "m.onnx"), {}).ok());
}

TEST_CASE("Of a node without a definition and the input that only it reads the node is named") {
  const testing::ScratchFolder folder;
  OnnxBuilder b;
  b.input("ids", {4}, kInt64);
  b.floats("table", {3, 1}, {1, 2, 3});
  b.node("Gather", {"table", "ids"}, {"y"});
  b.output("y", {4, 1});
  auto backend = reference();
  const auto model = backend.load(b.save(folder / "m.onnx"), {});
  REQUIRE_FALSE(model.ok());
  CHECK(model.error().message.find("'make_y' (Gather)") != std::string::npos);
}

TEST_CASE("Other types than float are refused and the node named") {
  const testing::ScratchFolder folder;
  OnnxBuilder b;
  b.input("ids", {4}, kInt64);
  b.node("Identity", {"ids"}, {"y"});
  b.output("y", {4}, kInt64);
  auto backend = reference();
  const auto model = backend.load(b.save(folder / "m.onnx"), {});
  REQUIRE_FALSE(model.ok());
  CHECK(model.error().message.find("int64") != std::string::npos);
  CHECK(model.error().message.find("make_y") != std::string::npos);
}

TEST_CASE("The reference times two models as often as it is asked to") {
  const testing::ScratchFolder folder;
  auto backend = reference();
  const auto file = testing::conv_relu().save(folder / "m.onnx");
  const auto a = backend.load(file, {});
  const auto b = backend.load(file, {});
  REQUIRE((a.ok() && b.ok()));
  const auto timing = backend.time_pair(a->id, b->id, {.rounds = 5, .warmup = 2, .evict_mib = 1});
  REQUIRE(timing.ok());
  CHECK(timing->a_ms.size() == 5);
  CHECK(timing->b_ms.size() == 5);
  for (const double ms : timing->a_ms) CHECK(ms > 0);
  backend.unload(a->id);
  backend.unload(b->id);
}

TEST_CASE("A stop ends an evaluation") {
  const testing::ScratchFolder folder;
  auto backend = reference();
  const auto model = backend.load(testing::conv_relu().save(folder / "m.onnx"), {});
  REQUIRE(model.ok());
  std::stop_source stop;
  stop.request_stop();
  const auto timing = backend.time_pair(model->id, model->id, {}, stop.get_token());
  REQUIRE_FALSE(timing.ok());
  CHECK(timing.error().kind == ErrorKind::Stopped);
}

TEST_CASE("The reference tells the time of each operator that an output needs") {
  const testing::ScratchFolder folder;
  auto b = testing::conv_relu();
  b.node("Sin", {"x"}, {"unused"});
  b.graph().mutable_node(1)->clear_name();
  auto backend = reference();
  const auto model = backend.load(b.save(folder / "m.onnx"), {});
  REQUIRE(model.ok());
  const auto profile = backend.profile(model->id, {.runs = 3, .evict_mib = 0});
  REQUIRE(profile.ok());
  CHECK(profile->runs_ms.size() == 3);
  std::vector<std::string> names;
  for (const OperatorTime& one : profile->operators) {
    names.push_back(one.name + " " + one.type);
    CHECK(one.ms.size() == 3);
  }
  CHECK(names == std::vector<std::string>{"make_c Conv", "y Relu", "make_z Add"});
}

TEST_CASE("A profile ends when its time is over, after one run at least") {
  const testing::ScratchFolder folder;
  auto backend = reference();
  const auto model = backend.load(testing::conv_relu().save(folder / "m.onnx"), {});
  REQUIRE(model.ok());
  const auto profile = backend.profile(model->id, {.runs = 1000, .warmup = 0, .seconds = 0});
  REQUIRE(profile.ok());
  CHECK(profile->runs_ms.size() == 1);
}

}  // namespace
}  // namespace pet
