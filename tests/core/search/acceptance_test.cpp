#include "core/search/acceptance.h"

#include <catch2/catch.hpp>

#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

namespace fs = std::filesystem;
using testing::OnnxBuilder;
using testing::ScratchFolder;

// Decides nothing, and takes its time for it.
class SlowProfiler final : public Profiler {
 public:
  explicit SlowProfiler(double seconds) : seconds_(seconds) {}
  Result<Comparison> compare(const fs::path&, const fs::path&, std::stop_token) override {
    ++asked;
    Comparison comparison;
    comparison.timing.a_ms = comparison.timing.b_ms = {1.0};
    comparison.decision = Decision::Undecided;
    comparison.seconds = seconds_;
    return comparison;
  }
  int asked = 0;

 private:
  double seconds_;
};

class NoBackend final : public Backend {
 public:
  const BackendInfo& info() const override { return info_; }
  Result<LoadedModel> load(const fs::path&, const LoadOptions&, std::stop_token) override {
    return Error{"nothing runs here", ErrorKind::Tool};
  }
  void unload(ModelId) override {}
  Result<std::vector<NamedTensor>> run(ModelId, std::span<const NamedTensor>,
                                       std::stop_token) override {
    return Error{"nothing runs here", ErrorKind::Tool};
  }
  Result<PairTiming> time_pair(ModelId, ModelId, const PairPlan&, std::stop_token) override {
    return Error{"nothing is timed here", ErrorKind::Tool};
  }

 private:
  BackendInfo info_;
};

// Four plans that change nothing, each comparison 40 s.
Accepted four_plans(double comparing_seconds, SlowProfiler& among, SlowProfiler& against) {
  const ScratchFolder folder;
  OnnxBuilder b;
  b.input("x", {3});
  b.node("Relu", {"x"}, {"y"});
  b.output("y", {3});
  const auto model = read_model(b.save(folder / "m.onnx"));
  REQUIRE(model.ok());
  NoBackend backend;
  AcceptanceConfig config;
  config.comparing_seconds = comparing_seconds;
  const FileProver prove = [](const Model&, const Model&, double) -> Result<Verdict> {
    return Error{"nothing is proved here", ErrorKind::Tool};
  };
  auto accepted = accept(*model, std::vector<Plan>(4), folder / "o.onnx", config,
                         {prove, backend, among, against}, {});
  REQUIRE(accepted.ok());
  CHECK(accepted->chosen.empty());
  CHECK_FALSE(fs::exists(folder / "o.onnx"));
  return *std::move(accepted);
}

TEST_CASE("Every plan is tried while there is time to compare whole files") {
  SlowProfiler among(40), against(40);
  const Accepted accepted = four_plans(1000, among, against);
  CHECK(among.asked == 3);
  CHECK(against.asked == 4);
  CHECK(accepted.rejected.size() == 4);
}

TEST_CASE("Once whole files were compared for too long no other plan is tried, and that is said") {
  SlowProfiler among(40), against(40);
  const Accepted accepted = four_plans(70, among, against);
  CHECK(among.asked == 2);    // 40 s, 80 s
  CHECK(against.asked == 1);  // one plan is always tried
  REQUIRE(accepted.rejected.size() == 4);
  CHECK(accepted.rejected[1].reason.find("120 s") != std::string::npos);
  CHECK(accepted.reason.find("not faster as a whole") == 0);
}

}  // namespace
}  // namespace pet
