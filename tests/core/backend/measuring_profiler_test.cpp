#include "core/backend/measuring_profiler.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <thread>

#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

using namespace std::chrono_literals;

// Sleeps for every round that counts; the second model takes half as long as the first.
class Sleepy final : public Backend {
 public:
  explicit Sleepy(std::chrono::milliseconds round) : round_(round) {}

  const BackendInfo& info() const override { return info_; }
  Result<LoadedModel> load(const std::filesystem::path&, const LoadOptions&,
                           std::stop_token) override {
    return LoadedModel{.id = ModelId(loaded_++), .inputs = {}, .outputs = {}};
  }
  void unload(ModelId) override {}
  Result<std::vector<NamedTensor>> run(ModelId, std::span<const NamedTensor>,
                                       std::stop_token) override {
    return Error{"it only sleeps"};
  }
  Result<PairTiming> time_pair(ModelId, ModelId, const PairPlan& plan, std::stop_token) override {
    std::this_thread::sleep_for(plan.rounds * round_);
    const auto rounds = static_cast<std::size_t>(plan.rounds);
    return PairTiming{std::vector<double>(rounds, 2), std::vector<double>(rounds, 1)};
  }

 private:
  BackendInfo info_;
  std::chrono::milliseconds round_;
  std::uint32_t loaded_ = 0;
};

Comparison compared(std::chrono::milliseconds round, std::chrono::milliseconds budget) {
  Sleepy backend(round);
  MeasuringProfiler profiler(backend, {.budget = budget, .batch = 2 * round});
  const auto comparison = profiler.compare("a.onnx", "b.onnx", {});
  REQUIRE(comparison.ok());
  return *comparison;
}

TEST_CASE("A comparison whose time is over goes on until it is worth something") {
  const Comparison slow = compared(20ms, 150ms);  // time for 7 rounds, which bound nothing
  CHECK(slow.decision == Decision::Faster);
  CHECK(slow.ratio.low == Approx(2));
}

TEST_CASE("A comparison that would take far too long ends before it is worth anything") {
  const Comparison endless = compared(60ms, 30ms);
  CHECK(endless.decision == Decision::Undecided);
  CHECK(endless.timing.a_ms.size() < 12);  // the first look
}

// Of whatever two files the one that was loaded later runs in half the time.
class Settling final : public Backend {
 public:
  const BackendInfo& info() const override { return info_; }
  Result<LoadedModel> load(const std::filesystem::path&, const LoadOptions&,
                           std::stop_token) override {
    ++held_;
    return LoadedModel{.id = ModelId(loaded_++), .inputs = {}, .outputs = {}};
  }
  void unload(ModelId) override { --held_; }
  Result<std::vector<NamedTensor>> run(ModelId, std::span<const NamedTensor>,
                                       std::stop_token) override {
    return Error{"it only times"};
  }
  Result<PairTiming> time_pair(ModelId a, ModelId b, const PairPlan& plan,
                               std::stop_token) override {
    const auto rounds = static_cast<std::size_t>(plan.rounds);
    const bool gains = b.index() > a.index();
    return PairTiming{std::vector<double>(rounds, gains ? 2 : 1),
                      std::vector<double>(rounds, gains ? 1 : 2)};
  }

  int held() const { return held_; }

 private:
  BackendInfo info_;
  std::uint32_t loaded_ = 0;
  int held_ = 0;
};

TEST_CASE("What comes of how files were loaded is no gain") {
  Settling backend;
  MeasuringProfiler profiler(backend, {});
  const auto comparison = profiler.compare("a.onnx", "a.onnx", {});
  REQUIRE(comparison.ok());
  CHECK(comparison->decision == Decision::Undecided);
  CHECK(comparison->timing.a_ms.size() == 24);  // of both
  CHECK(backend.held() == 0);
  CHECK(profiler.made() == 1);
}

// Files are called by what a run of theirs takes; each run is counted. It sleeps for none.
class Track final : public Backend {
 public:
  std::map<std::string, int> runs;
  std::vector<std::size_t> together;  // how many ran in each request
  std::string refused;                // is not loaded
  std::string deadly;                 // brings down whatever runs it
  int deaths = 1000;                  // so often
  std::uint64_t memory = 0;

  const BackendInfo& info() const override {
    info_.memory = memory;
    return info_;
  }
  Result<LoadedModel> load(const std::filesystem::path& file, const LoadOptions&,
                           std::stop_token) override {
    if (file == refused) return Error{"a fusion failed", ErrorKind::Unsupported};
    files_.push_back(file.filename().string());
    ++held_;
    return LoadedModel{.id = ModelId(files_.size() - 1), .inputs = {}, .outputs = {}};
  }
  void unload(ModelId) override { --held_; }
  Result<std::vector<NamedTensor>> run(ModelId, std::span<const NamedTensor>,
                                       std::stop_token) override {
    return Error{"it only times"};
  }
  Result<PairTiming> time_pair(ModelId a, ModelId b, const PairPlan& plan,
                               std::stop_token stop) override {
    const std::array both = {a, b};
    auto ms = time_together(both, plan, std::move(stop));
    if (!ms) return std::move(ms).error();
    return PairTiming{std::move(ms->front()), std::move(ms->back())};
  }
  Result<std::vector<std::vector<double>>> time_together(std::span<const ModelId> models,
                                                         const PairPlan& plan,
                                                         std::stop_token stop) override {
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    together.push_back(models.size());
    std::vector<std::vector<double>> out;
    for (const ModelId model : models) {
      const std::string& file = files_[model.index()];
      if (file == deadly && deaths-- > 0) return Error{"it died", ErrorKind::Tool};
      runs[file] += plan.rounds;
      out.emplace_back(static_cast<std::size_t>(plan.rounds), std::stod(file));
    }
    return out;
  }
  int held() const { return held_; }

 private:
  mutable BackendInfo info_;
  std::vector<std::string> files_;
  int held_ = 0;
};

Result<RaceResult> raced(Track& backend, const std::vector<std::filesystem::path>& files,
                         std::stop_token stop = {}) {
  MeasuringProfiler profiler(backend, {.budget = 10s});
  return profiler.race("4", files, std::move(stop));
}

TEST_CASE("A race runs all files at once, and its clear winner ends it at the first look") {
  Track backend;
  const auto result = raced(backend, {"3", "1", "2"});
  REQUIRE(result.ok());
  CHECK(result->ranking == std::vector<std::size_t>{1, 2, 0});
  CHECK(backend.runs == std::map<std::string, int>{{"1", 6}, {"2", 6}, {"3", 6}, {"4", 6}});
  const Comparison& winner = *result->against_original[1];
  CHECK(winner.decision == Decision::Faster);
  CHECK(winner.ratio.median == Approx(4));
  CHECK(winner.ratio.low == 0);  // of so few rounds nothing is claimed at the level of claims
  CHECK(backend.held() == 0);
}

TEST_CASE("A race of one file and the original is a first look at it") {
  Track backend;
  const auto result = raced(backend, {"5"});
  REQUIRE(result.ok());
  CHECK(result->against_original[0]->decision == Decision::Slower);
  CHECK(backend.runs["4"] == 6);
}

TEST_CASE("A file that is not loaded does not run, and the others do") {
  Track backend;
  backend.refused = "1";
  const auto result = raced(backend, {"3", "1", "2"});
  REQUIRE(result.ok());
  CHECK(result->ranking == std::vector<std::size_t>{2, 0});
  CHECK(result->against_original[1].error().message == "a fusion failed");
  backend.refused = "4";
  CHECK_FALSE(raced(backend, {"3"})->against_original[0].ok());
  CHECK(backend.held() == 0);
}

TEST_CASE("A worker that dies once in a race costs a round") {
  Track backend;
  backend.deadly = "2";
  backend.deaths = 1;
  const auto result = raced(backend, {"3", "1", "2"});
  REQUIRE(result.ok());
  CHECK(result->ranking == std::vector<std::size_t>{1, 2, 0});
}

TEST_CASE(
    "A file that brings the worker down again and again is left out, the others are compared") {
  Track backend;
  backend.deadly = "1";
  const auto result = raced(backend, {"3", "1", "2"});
  REQUIRE(result.ok());
  CHECK(result->ranking == std::vector<std::size_t>{2, 0});
  CHECK(result->against_original[1].error().message == "it died");
  CHECK(result->against_original[2]->ratio.median == Approx(2));
  CHECK(backend.held() == 0);
}

TEST_CASE("Where an original brings the worker down there is no winner") {
  Track backend;
  backend.deadly = "4";
  const auto result = raced(backend, {"3", "1"});
  REQUIRE(result.ok());
  CHECK(result->ranking.empty());
}

TEST_CASE("A race that is stopped ends, and nothing stays loaded") {
  Track backend;
  std::stop_source source;
  source.request_stop();
  const auto result = raced(backend, {"3", "1"}, source.get_token());
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::Stopped);
  CHECK(backend.held() == 0);
}

TEST_CASE("Files that do not fit into memory beside each other are compared one by one") {
  const testing::ScratchFolder folder;
  const std::vector<std::filesystem::path> files = {folder / "1", folder / "2"};
  for (const auto& file : files) testing::write_bytes(file, "x");
  Track backend;
  backend.memory = 4 * 3;
  REQUIRE(raced(backend, files).ok());
  CHECK(backend.together.front() == 3);
  backend.together.clear();
  backend.memory = 4 * 3 - 1;
  REQUIRE(raced(backend, files).ok());
  CHECK(std::ranges::all_of(backend.together, [](std::size_t n) { return n == 2; }));
}

// Of three the pairs are drawn anew in every round; each runs at least once in it.
class Pairs final : public Backend {
 public:
  std::vector<std::pair<std::size_t, std::size_t>> asked;
  const BackendInfo& info() const override { return info_; }
  Result<LoadedModel> load(const std::filesystem::path&, const LoadOptions&,
                           std::stop_token) override {
    return LoadedModel{};
  }
  void unload(ModelId) override {}
  Result<std::vector<NamedTensor>> run(ModelId, std::span<const NamedTensor>,
                                       std::stop_token) override {
    return Error{"it only times"};
  }
  Result<PairTiming> time_pair(ModelId a, ModelId b, const PairPlan& plan,
                               std::stop_token) override {
    CHECK(plan.warmup == 0);
    asked.emplace_back(a.index(), b.index());
    return PairTiming{{1.0 + static_cast<double>(a.index())},
                      {1.0 + static_cast<double>(b.index())}};
  }

 private:
  BackendInfo info_;
};

TEST_CASE("What times pairs only runs any number in turn, each with another one every round") {
  Pairs backend;
  const std::vector<ModelId> models = {ModelId(0), ModelId(1), ModelId(2)};
  const auto ms = backend.time_together(models, {.rounds = 40, .warmup = 2});
  REQUIRE(ms.ok());
  for (std::size_t i = 0; i < 3; ++i)
    CHECK((*ms)[i] == std::vector<double>(40, 1.0 + static_cast<double>(i)));
  CHECK(backend.asked.size() == 42 * 2);
  for (const std::size_t alone : {0U, 1U, 2U})
    CHECK(std::ranges::count(backend.asked, std::pair(alone, alone)) > 5);
}

}  // namespace
}  // namespace pet
