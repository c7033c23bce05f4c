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

}  // namespace
}  // namespace pet
