// Digests of files and of what they hold: certificates, caches and journals have them, so they are
// what they always were.
#include "core/onnx/inventory.h"

#include <catch2/catch.hpp>

#include "core/util/rng.h"
#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

using testing::OnnxBuilder;
using testing::ScratchFolder;

// y = x + w, with weights of more than one piece as files are read; `unused` is read by nobody, and
// callers may set `preset`.
OnnxBuilder large() {
  constexpr std::int64_t kElements = 300'001;
  OnnxBuilder b;
  Rng rng(7);
  std::vector<float> weights(kElements);
  for (float& w : weights) w = static_cast<float>(rng.normal());
  b.input("x", {kElements});
  b.input("preset", {3});
  b.floats("w", {kElements}, weights);
  b.floats("unused", {2}, {1, 2});
  b.floats("preset", {3}, {4, 5, 6});
  b.integers("axes", {0, 1});
  b.node("Add", {"x", "w"}, {"y"});
  b.node("Neg", {"preset"}, {"z"});
  b.output("y", {kElements});
  b.output("z", {3});
  return b;
}

TEST_CASE("A model has the digest of its file's bytes, in whatever pieces they were read") {
  const ScratchFolder folder;
  const OnnxBuilder b = large();
  const auto model = read_model(b.save(folder / "m.onnx"));
  REQUIRE(model.ok());
  const Digest bytes = digest_of("onnx bytes", b.bytes());
  CHECK(model->digest == Digester("onnx file").add(bytes).finish());
  CHECK(*digest_of_model(folder / "m.onnx") == model->digest);
}

TEST_CASE("An inventory has every initialiser with its digest, used or not") {
  const ScratchFolder folder;
  const OnnxBuilder b = large();
  const auto model = read_model(b.save(folder / "m.onnx"));
  REQUIRE(model.ok());
  const auto inventory = inventory_of(*model);
  REQUIRE(inventory.ok());
  const std::string bytes = b.bytes();
  CHECK(inventory->file == plain_digest(std::as_bytes(std::span(bytes))));
  REQUIRE(inventory->tensors.size() == 4);
  for (int i = 0; i < 4; ++i) {
    const ::onnx::TensorProto& stored = b.model.graph().initializer(i);
    const auto& [name, tensor] = inventory->tensors[static_cast<std::size_t>(i)];
    CHECK(name == stored.name());
    REQUIRE(tensor != nullptr);
    CHECK(tensor->digest() ==
          Tensor({stored.data_type() == 1 ? DType::Float : DType::Int64, Shape{stored.dims(0)}},
                 std::as_bytes(std::span(stored.raw_data())), nullptr)
              .digest());
  }
}

TEST_CASE("A file that was changed after it was read has no inventory, and another digest") {
  const ScratchFolder folder;
  OnnxBuilder b = large();
  const auto model = read_model(b.save(folder / "m.onnx"));
  REQUIRE(model.ok());
  auto& last = *b.graph().mutable_initializer(0)->mutable_raw_data();
  last.back() = static_cast<char>(last.back() ^ 1);
  b.save(folder / "m.onnx");
  const auto inventory = inventory_of(*model);
  REQUIRE_FALSE(inventory.ok());
  CHECK(inventory.error().message.find("changed while it was in use") != std::string::npos);
  CHECK(*digest_of_model(folder / "m.onnx") != model->digest);
}

}  // namespace
}  // namespace pet
