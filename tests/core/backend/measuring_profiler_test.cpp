#include "core/backend/measuring_profiler.h"

#include <catch2/catch.hpp>
#include <thread>

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

}  // namespace
}  // namespace pet
