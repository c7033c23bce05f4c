#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/search/acceptance.h"
#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

using testing::OnnxBuilder;
using testing::ScratchFolder;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kInt64 = 7;

// Answers what it is told, and keeps what it was asked: model 0 is the original.
class FakeBackend final : public Backend {
 public:
  std::vector<float> original, changed;
  std::vector<std::vector<NamedTensor>> asked;  // of the original

  const BackendInfo& info() const override { return info_; }
  Result<LoadedModel> load(const std::filesystem::path&, const LoadOptions&,
                           std::stop_token) override {
    return LoadedModel{ModelId(loaded_++), {}, {}};
  }
  void unload(ModelId) override {}
  Result<std::vector<NamedTensor>> run(ModelId model, std::span<const NamedTensor> inputs,
                                       std::stop_token) override {
    if (model == ModelId(0)) asked.emplace_back(inputs.begin(), inputs.end());
    const auto& values = model == ModelId(0) ? original : changed;
    return std::vector<NamedTensor>{
        {"y", Tensor::of_floats({static_cast<Dim>(values.size())}, values)}};
  }
  Result<PairTiming> time_pair(ModelId, ModelId, const PairPlan&, std::stop_token) override {
    return Error{"nothing is timed here", ErrorKind::Tool};
  }

 private:
  BackendInfo info_;
  std::size_t loaded_ = 0;
};

Model read(const OnnxBuilder& builder, const ScratchFolder& folder) {
  auto model = read_model(builder.save(folder / "m.onnx"));
  REQUIRE(model.ok());
  return *std::move(model);
}

Model one_relu(const ScratchFolder& folder) {
  OnnxBuilder b;
  b.input("x", {3});
  b.node("Relu", {"x"}, {"y"});
  b.output("y", {3});
  return read(b, folder);
}

Result<NumericDifference> difference(FakeBackend& backend, const Model& model) {
  return numeric_difference(model, model.path, {}, backend, {});
}

// table [3, 2], ids [64] -> rows
OnnxBuilder gather_of_three_rows() {
  OnnxBuilder b;
  b.input("ids", {64}, kInt64);
  b.floats("table", {3, 2}, {1, 2, 3, 4, 5, 6});
  b.node("Gather", {"table", "ids"}, {"y"});
  b.output("y", {64, 2});
  return b;
}

TEST_CASE("The largest difference is measured against the largest value of the output") {
  const ScratchFolder folder;
  FakeBackend backend;
  backend.original = {1, -4, 2};
  backend.changed = {1, -4, 2.5F};
  const auto found = difference(backend, one_relu(folder));
  REQUIRE(found.ok());
  CHECK(found->max_abs == 0.5);
  CHECK(found->max_rel == 0.125);
}

TEST_CASE("An infinity in place of a number is no small difference") {
  const ScratchFolder folder;
  const Model model = one_relu(folder);
  FakeBackend backend;
  backend.original = {1, kInfinity, 2};
  backend.changed = {1, 5, 2};
  auto found = difference(backend, model);
  CHECK((!found || found->max_rel > 1));
  FakeBackend other;
  other.original = {1, 5, 2};
  other.changed = {1, kInfinity, 2};
  found = difference(other, model);
  CHECK((!found || found->max_rel > 1));
}

TEST_CASE("An infinity that both hold hides no difference elsewhere") {
  const ScratchFolder folder;
  FakeBackend backend;
  backend.original = {1, kInfinity, 2};
  backend.changed = {1.5F, kInfinity, 2};
  const auto found = difference(backend, one_relu(folder));
  CHECK((!found || found->max_rel > 0.1));
}

TEST_CASE("A NaN is refused and the output named") {
  const ScratchFolder folder;
  FakeBackend backend;
  backend.original = backend.changed = {1, NAN, 2};
  const auto found = difference(backend, one_relu(folder));
  REQUIRE_FALSE(found.ok());
  CHECK(found.error().message.find("output y") != std::string::npos);
}

TEST_CASE("Indices are drawn from all rows of the table and from no others") {
  const ScratchFolder folder;
  FakeBackend backend;
  backend.original = backend.changed = {1};
  REQUIRE(difference(backend, read(gather_of_three_rows(), folder)).ok());
  REQUIRE(backend.asked.size() >= 8);
  std::array<int, 3> seen{};
  for (const auto& inputs : backend.asked) {
    REQUIRE(inputs.size() == 1);
    for (const std::int64_t id : inputs[0].tensor.ints()) {
      REQUIRE((id >= 0 && id < 3));
      ++seen[static_cast<std::size_t>(id)];
    }
  }
  CHECK(seen[0] > 0);
  CHECK(seen[1] > 0);
  CHECK(seen[2] > 0);
}

TEST_CASE("Floats differ in scale and sign from draw to draw") {
  const ScratchFolder folder;
  OnnxBuilder b;
  b.input("x", {1000});
  b.node("Relu", {"x"}, {"y"});
  b.output("y", {1000});
  FakeBackend backend;
  backend.original = backend.changed = {1};
  REQUIRE(difference(backend, read(b, folder)).ok());
  double least = 1e9;
  double largest = 0;
  bool has_positive = false;
  bool has_negative = false;
  for (const auto& inputs : backend.asked) {
    const auto x = inputs[0].tensor.floats();
    const auto [low, high] = std::ranges::minmax(x);
    const double size = std::max(std::abs(low), std::abs(high));
    least = std::min(least, size);
    largest = std::max(largest, size);
    has_positive |= low >= 0;
    has_negative |= high <= 0;
  }
  CHECK(largest > 10 * least);
  CHECK(has_positive);
  CHECK(has_negative);
}

TEST_CASE("What no values can be drawn for is refused and the input named") {
  const ScratchFolder folder;
  OnnxBuilder b;
  b.input("x", {6});
  b.input("extents", {2}, kInt64);
  b.node("Reshape", {"x", "extents"}, {"y"});
  b.output("y", {2, 3});
  FakeBackend backend;
  backend.original = backend.changed = {1};
  const auto found = difference(backend, read(b, folder));
  REQUIRE_FALSE(found.ok());
  CHECK(found.error().message.find("input extents") != std::string::npos);
  CHECK(found.error().message.find("make_y") != std::string::npos);
}

}  // namespace
}  // namespace pet
