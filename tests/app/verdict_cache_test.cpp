// Verdicts that are kept from one batch to the next, and when they must not be.
#include "app/pet-verify/verdict_cache.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <functional>
#include <memory>

#include "app/common/command_line.h"
#include "app/pet-verify/run.h"
#include "tests/support/onnx_builder.h"
#include "verify/bitmap/bitmap_engine.h"

using namespace pet;
using namespace pet::app;
using pet::testing::OnnxBuilder;
using pet::testing::ScratchFolder;
namespace fs = std::filesystem;

namespace {

std::atomic<int> asked = 0;

// Counts how often it is asked.
class Counting final : public Engine {
 public:
  std::string_view name() const override { return "bitmap"; }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override {
    return ask(original, mutant, options).verdict;
  }
  EngineWord ask(const Graph& original, const Graph& mutant, const ProofOptions& options) override {
    ++asked;
    return inner_.ask(original, mutant, options);
  }

 private:
  BitmapEngine inner_;
};

// y = LeakyRelu(x + w), w in a file of its own.
fs::path saved(const ScratchFolder& folder, const std::string& name, float alpha,
               const std::string& weights) {
  OnnxBuilder b;
  b.input("x", {2, 3});
  auto& w = b.floats("w", {3}, {1, 2, 3});
  w.clear_raw_data();
  w.set_data_location(::onnx::TensorProto::EXTERNAL);
  auto& location = *w.add_external_data();
  location.set_key("location");
  location.set_value(weights);
  b.node("Add", {"x", "w"}, {"s"});
  auto& node = b.node("LeakyRelu", {"s"}, {"y"});
  OnnxBuilder::attribute(node, "alpha", ::onnx::AttributeProto::FLOAT).set_f(alpha);
  b.output("y", {2, 3});
  return b.save(folder / name);
}

void write_weights(const ScratchFolder& folder, const std::string& name, float last) {
  const std::vector<float> values = {1, 2, last};
  testing::write_bytes(folder / name, std::string(reinterpret_cast<const char*>(values.data()),
                                                  values.size() * sizeof(float)));
}

// A batch of one pair that is equivalent by another program, one that differs.
struct Fixture {
  ScratchFolder folder;
  Options options;

  Fixture() {
    write_weights(folder, "w.bin", 3);
    write_weights(folder, "v.bin", 3);
    write_pair(0.5F);
    options.files = {folder / "list.jsonl"};
    options.cache = folder / "cache.jsonl";
    options.quiet = true;
    options.proof.proof.in_detail = true;
    set_seed(options, 1);
  }

  void write_pair(float alpha) const {
    saved(folder, "a.onnx", alpha, "w.bin");
    saved(folder, "b.onnx", alpha, "v.bin");
    saved(folder, "c.onnx", 2 * alpha, "w.bin");
    std::ofstream(folder / "list.jsonl") << R"({"name": "same", "a": "a.onnx", "b": "b.onnx"})"
                                         << "\n"
                                         << R"({"name": "other", "a": "a.onnx", "b": "c.onnx"})"
                                         << "\n";
  }

  // How often engines were asked.
  int run_once() const {
    asked = 0;
    CHECK(run(options, [] {
            Engines engines;
            engines.push_back(std::make_unique<Counting>());
            return engines;
          }) == kNotEqual);
    return asked;
  }
};

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream stream(path);
  std::vector<std::string> out;
  for (std::string line; std::getline(stream, line);) out.push_back(line);
  return out;
}

void write_lines(const fs::path& path, const std::vector<std::string>& lines) {
  std::ofstream stream(path);
  for (const std::string& line : lines) stream << line << "\n";
}

}  // namespace

TEST_CASE("What one batch found out the next one knows") {
  Fixture batch;
  CHECK(batch.run_once() >= 2);
  CHECK(lines_of(batch.options.cache).size() == 2);
  set_seed(batch.options, 2);
  CHECK(batch.run_once() == 0);
  CHECK(lines_of(batch.options.cache).size() == 2);
}

TEST_CASE("Another attribute is another question") {
  Fixture batch;
  const int all = batch.run_once();
  batch.write_pair(0.25F);
  CHECK(batch.run_once() == all);
  batch.write_pair(0.5F);
  CHECK(batch.run_once() == 0);
}

TEST_CASE("Other external data are another question, though the files say nothing of it") {
  Fixture batch;
  CHECK(batch.run_once() >= 2);
  write_weights(batch.folder, "v.bin", 4);
  CHECK(batch.run_once() >= 1);
  CHECK(lines_of(batch.options.cache).size() == 3);  // the other pair has them not
  write_weights(batch.folder, "v.bin", 3);
  CHECK(batch.run_once() == 0);
}

TEST_CASE("Every option that may change a verdict is another question") {
  Fixture batch;
  const int all = batch.run_once();
  const Options plain = batch.options;
  const auto asked_with = [&](const std::function<void(Options&)>& change) {
    batch.options = plain;
    change(batch.options);
    return batch.run_once();
  };
  CHECK(asked_with([](Options& o) { o.proof.proof.log2_error = -100; }) == all);
  CHECK(asked_with([](Options& o) { o.proof.proof.bind_weights = true; }) >= 2);
  CHECK(asked_with([](Options& o) { o.proof.proof.first_difference = true; }) >= 2);
  CHECK(asked_with([](Options& o) { o.engine = "region"; }) == all);
  CHECK(asked_with([](Options& o) { o.limits.steps = 1'000'000; }) == all);
  CHECK(asked_with([](Options& o) { o.limits.steps = 2'000'000; }) == all);
  CHECK(asked_with([](Options& o) { o.proof.outputs = OutputMatch::ByPosition; }) == all);
  // How it is done is none of them.
  CHECK(asked_with([](Options& o) { o.jobs = 2; }) == 0);
  CHECK(asked_with([](Options& o) { o.timeout_seconds = 100; }) == 0);
}

TEST_CASE("A seed that was given takes nothing from the cache and leaves nothing in it") {
  Fixture batch;
  batch.options.seed_given = true;
  set_seed(batch.options, 5);
  const int all = batch.run_once();
  CHECK(lines_of(batch.options.cache).empty());
  batch.options.seed_given = false;
  set_seed(batch.options, 6);
  CHECK(batch.run_once() == all);
  batch.options.seed_given = true;
  set_seed(batch.options, 5);
  CHECK(batch.run_once() == all);
  CHECK(lines_of(batch.options.cache).size() == 2);
}

TEST_CASE("A line that is torn or altered is none, and the others are good") {
  Fixture batch;
  const int all = batch.run_once();
  const auto lines = lines_of(batch.options.cache);
  REQUIRE(lines.size() == 2);
  const auto check_one_is_asked = [&] {
    const int some = batch.run_once();
    CHECK(some > 0);
    CHECK(some < all);
  };
  const auto check_with = [&](const std::string& first) {
    write_lines(batch.options.cache, {first, lines[1]});
    check_one_is_asked();
  };
  check_with("");
  check_with("{}");
  check_with(lines[0].substr(0, lines[0].size() / 2));
  for (const char* word : {"equivalent", "\"elements\":6", "\"primes\":", "\"proof_seed\":1"}) {
    INFO(word);
    std::string altered = lines[0];
    const auto at = altered.find(word);
    REQUIRE(at != std::string::npos);
    altered.insert(at + std::string_view(word).size(), "1");
    check_with(altered);
  }
  // Somebody died within a line: ours is none of it.
  write_lines(batch.options.cache, {lines[1]});
  std::ofstream(batch.options.cache, std::ios::app) << lines[0].substr(0, 50);
  check_one_is_asked();
  CHECK(batch.run_once() == 0);
}

// The pair that is written alike needs no prime.
TEST_CASE("What is unknown is asked again") {
  Fixture batch;
  batch.options.proof.proof.log2_error = -1e6;  // more primes than there may be
  for (int i = 0; i < 2; ++i) {
    asked = 0;
    run(batch.options, [] {
      Engines engines;
      engines.push_back(std::make_unique<Counting>());
      return engines;
    });
    CHECK(asked > 0);
  }
  CHECK(lines_of(batch.options.cache).size() == 1);
}
