#include "core/search/acceptance.h"

#include <catch2/catch.hpp>
#include <set>

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

// Refuses so many files, and then finds the others no faster.
class RefusingProfiler final : public Profiler {
 public:
  explicit RefusingProfiler(std::size_t files) : files_(files) {}
  Result<Comparison> compare(const fs::path&, const fs::path& file, std::stop_token) override {
    refused_.insert(refused_.size() < files_ ? file : fs::path());
    if (refused_.contains(file)) return Error{"a fusion failed", ErrorKind::Tool};
    Comparison comparison;
    comparison.timing.a_ms = comparison.timing.b_ms = {1.0};
    comparison.decision = Decision::Tie;
    return comparison;
  }

 private:
  std::size_t files_;
  std::set<fs::path> refused_;
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

// Every program yields its input.
class EchoBackend final : public Backend {
 public:
  const BackendInfo& info() const override { return info_; }
  Result<LoadedModel> load(const fs::path&, const LoadOptions&, std::stop_token) override {
    return LoadedModel{};
  }
  void unload(ModelId) override {}
  Result<std::vector<NamedTensor>> run(ModelId, std::span<const NamedTensor> inputs,
                                       std::stop_token) override {
    return std::vector<NamedTensor>{{"y", inputs.front().tensor}};
  }
  Result<PairTiming> time_pair(ModelId, ModelId, const PairPlan&, std::stop_token) override {
    return Error{"nothing is timed here", ErrorKind::Tool};
  }

 private:
  BackendInfo info_;
};

// Finds every file faster; when it is asked for the second time somebody has written to it.
class TamperingProfiler final : public Profiler {
 public:
  explicit TamperingProfiler(bool tampers) : tampers_(tampers) {}
  Result<Comparison> compare(const fs::path&, const fs::path& file, std::stop_token) override {
    if (++asked_ == 2 && tampers_) {
      OnnxBuilder other;
      other.input("x", {3});
      other.node("Neg", {"x"}, {"y"});
      other.output("y", {3});
      other.save(file);
    }
    Comparison comparison;
    comparison.timing.a_ms = comparison.timing.b_ms = {1.0};
    comparison.decision = Decision::Faster;
    return comparison;
  }

 private:
  bool tampers_;
  int asked_ = 0;
};

Verdict equivalent() {
  Verdict verdict;
  verdict.outcome = Outcome::Equivalent;
  verdict.log2_error = -90;
  return verdict;
}

// Four plans that change nothing.
Result<Accepted> four_plans(double comparing_seconds, Profiler& among, Profiler& against) {
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
  CHECK((!accepted.ok() || accepted->chosen.empty()));
  CHECK_FALSE(fs::exists(folder / "o.onnx"));
  return accepted;
}

TEST_CASE("Every plan is tried while there is time to compare whole files") {
  SlowProfiler among(40), against(40);
  const auto accepted = four_plans(1000, among, against);
  REQUIRE(accepted.ok());
  CHECK(among.asked == 3);
  CHECK(against.asked == 4);
  CHECK(accepted->rejected.size() == 4);
}

TEST_CASE("Once whole files were compared for too long no other plan is tried, and that is said") {
  SlowProfiler among(40), against(40);
  const auto accepted = four_plans(70, among, against);
  REQUIRE(accepted.ok());
  CHECK(among.asked == 2);    // 40 s, 80 s
  CHECK(against.asked == 1);  // one plan is always tried
  REQUIRE(accepted->rejected.size() == 4);
  CHECK(accepted->rejected[1].reason.find("120 s") != std::string::npos);
  CHECK(accepted->reason.find("not faster as a whole") == 0);
}

TEST_CASE("A plan that the runtime refuses is rejected, and the others are measured") {
  SlowProfiler among(0);
  RefusingProfiler against(2);
  const auto accepted = four_plans(1000, among, against);
  REQUIRE(accepted.ok());
  REQUIRE(accepted->rejected.size() == 4);
  CHECK(accepted->rejected[0].reason == "not measured: a fusion failed");
  CHECK(accepted->rejected[2].reason.find("not faster as a whole") == 0);
}

TEST_CASE("Where no file can be measured, that is an error") {
  SlowProfiler among(0);
  RefusingProfiler against(100);
  const auto accepted = four_plans(1000, among, against);
  REQUIRE_FALSE(accepted.ok());
  CHECK(accepted.error().message == "a fusion failed");
}

TEST_CASE("What is put in place is the file that was proved, and nothing is left beside it") {
  const bool tampers = GENERATE(false, true);
  const ScratchFolder folder;
  OnnxBuilder b;
  b.input("x", {3});
  b.node("Relu", {"x"}, {"y"});
  b.output("y", {3});
  const auto model = read_model(b.save(folder / "m.onnx"));
  REQUIRE(model.ok());
  EchoBackend backend;
  TamperingProfiler profiler(tampers);
  Digest proved;
  const FileProver prove = [&](const Model&, const Model& changed, double) -> Result<Verdict> {
    proved = changed.digest;
    return equivalent();
  };
  const auto accepted = accept(*model, std::vector<Plan>(1), folder / "o.onnx", {},
                               {prove, backend, profiler, profiler}, {});
  CHECK(accepted.ok() == !tampers);
  CHECK(fs::exists(folder / "o.onnx") == !tampers);
  if (tampers) {
    CHECK(accepted.error().message.find("changed while it was in use") != std::string::npos);
  } else {
    const auto written = read_model(folder / "o.onnx");
    REQUIRE(written.ok());
    CHECK(written->digest == proved);
  }
  CHECK(folder.files() == (tampers ? 1 : 2));
}

TEST_CASE("Two runs beside each other write to files of different names") {
  // Each plan's file is seen while it is measured; no name comes twice.
  class Names final : public Profiler {
   public:
    Result<Comparison> compare(const fs::path&, const fs::path& file, std::stop_token) override {
      CHECK(fs::exists(file));
      CHECK(seen.insert(file.filename()).second);
      Comparison comparison;
      comparison.timing.a_ms = comparison.timing.b_ms = {1.0};
      comparison.decision = Decision::Tie;
      return comparison;
    }
    std::set<fs::path> seen;
  };
  Names against;
  SlowProfiler among(0);
  for (int run = 0; run < 2; ++run) REQUIRE(four_plans(1000, among, against).ok());
  CHECK(against.seen.size() == 8);
}

}  // namespace
}  // namespace pet
