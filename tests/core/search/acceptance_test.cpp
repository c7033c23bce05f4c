#include "core/search/acceptance.h"

#include <catch2/catch.hpp>
#include <functional>
#include <set>

#include "core/util/overloaded.h"
#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

namespace fs = std::filesystem;
using testing::OnnxBuilder;
using testing::ScratchFolder;

Comparison decided(Decision decision, double seconds = 0) {
  Comparison out;
  out.timing.a_ms = out.timing.b_ms = {1.0};
  out.decision = decision;
  out.seconds = seconds;
  return out;
}

// Answers as it is told to: of a file, when it is asked for the n-th time.
class FakeProfiler final : public Profiler {
 public:
  using Answer = std::function<Result<Comparison>(const fs::path& file, int asked)>;
  explicit FakeProfiler(Answer answer) : answer_(std::move(answer)) {}
  Result<Comparison> compare(const fs::path&, const fs::path& file, std::stop_token) override {
    return answer_(file, ++asked);
  }
  int asked = 0;

 private:
  Answer answer_;
};

// Decides nothing, and takes its time for it.
FakeProfiler slow(double seconds) {
  return FakeProfiler([=](const fs::path&, int) { return decided(Decision::Undecided, seconds); });
}

// Refuses so many files, each however often it is asked, and finds the others no faster.
FakeProfiler refusing(std::size_t files) {
  return FakeProfiler(
      [=, refused = std::set<fs::path>()](const fs::path& file, int) mutable -> Result<Comparison> {
        if (refused.size() < files) refused.insert(file);
        if (refused.contains(file)) return Error{"a fusion failed", ErrorKind::Tool};
        return decided(Decision::Tie);
      });
}

// Asks the one about files of plans, the other about one of them and the original.
class EachToItsOwn final : public Profiler {
 public:
  EachToItsOwn(const Model& model, Profiler& among, Profiler& against)
      : model_(model), among_(among), against_(against) {}
  Result<Comparison> compare(const fs::path& a, const fs::path& b, std::stop_token stop) override {
    return (a == model_.path ? against_ : among_).compare(a, b, std::move(stop));
  }

 private:
  const Model& model_;
  Profiler& among_;
  Profiler& against_;
};

// Every program yields its input, and none is timed.
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

// One node, x[3] to y[3].
OnnxBuilder one_node(const std::string& op) {
  OnnxBuilder b;
  b.input("x", {3});
  b.node(op, {"x"}, {"y"});
  b.output("y", {3});
  return b;
}

Verdict equivalent() {
  Verdict verdict;
  verdict.outcome = Outcome::Equivalent;
  verdict.log2_error = -90;
  return verdict;
}

// All its stages.
Result<Accepted> accept(
    const Model& model, std::size_t plans, const fs::path& target, const AcceptanceConfig& config,
    const Judges& judges, EventSink sink = [](const Event&) {}) {
  Acceptance acceptance(model, std::vector<Plan>(plans), target, config, judges, std::move(sink),
                        {});
  while (true) {
    const auto status = acceptance.step();
    if (!status) return status.error();
    if (*status == StepStatus::Finished) return acceptance.take();
  }
}

// Four plans that change nothing.
Result<Accepted> four_plans(double comparing_seconds, Profiler& among, Profiler& against) {
  const ScratchFolder folder;
  const auto model = read_model(one_node("Relu").save(folder / "m.onnx"));
  REQUIRE(model.ok());
  EchoBackend backend;
  AcceptanceConfig config;
  config.comparing_seconds = comparing_seconds;
  const FileProver prove = [](const Model&, const Model&, double) -> Result<Verdict> {
    return Error{"nothing is proved here", ErrorKind::Tool};
  };
  EachToItsOwn profiler(*model, among, against);
  std::vector<double> seconds;
  const auto profile_files = [&](double given, bool) -> Profiler& {
    seconds.push_back(given);
    return profiler;
  };
  auto accepted = accept(*model, 4, folder / "o.onnx", config, {prove, backend, profile_files});
  for (const double given : seconds) CHECK((given >= 2 && given <= comparing_seconds));
  CHECK((!accepted.ok() || accepted->chosen.empty()));
  CHECK_FALSE(fs::exists(folder / "o.onnx"));
  return accepted;
}

TEST_CASE("Every plan is tried while there is time to compare whole files") {
  FakeProfiler among = slow(40);
  FakeProfiler against = slow(40);
  const auto accepted = four_plans(1000, among, against);
  REQUIRE(accepted.ok());
  CHECK(among.asked == 3);
  CHECK(against.asked == 4);
  CHECK(accepted->rejected.size() == 4);
}

TEST_CASE("Once whole files were compared for too long no other plan is tried, and that is said") {
  FakeProfiler among = slow(40);
  FakeProfiler against = slow(40);
  const auto accepted = four_plans(70, among, against);
  REQUIRE(accepted.ok());
  CHECK(among.asked == 2);    // 40 s, 80 s
  CHECK(against.asked == 1);  // one plan is always tried
  REQUIRE(accepted->rejected.size() == 4);
  CHECK(accepted->rejected[1].reason.find("120 s") != std::string::npos);
  CHECK(accepted->reason.find("not faster as a whole") == 0);
}

TEST_CASE("What promises much goes on to its proof undecided, and is decided after it") {
  const bool is_faster = GENERATE(false, true);
  const ScratchFolder folder;
  const auto model = read_model(one_node("Relu").save(folder / "m.onnx"));
  REQUIRE(model.ok());
  EchoBackend backend;
  FakeProfiler profiler([&](const fs::path&, int asked) {
    Comparison out = decided(asked == 2 && is_faster ? Decision::Faster : Decision::Undecided);
    out.ratio = {1.5, 0, 3};
    return out;
  });
  std::vector<std::pair<double, bool>> asked;
  AcceptanceConfig config;
  config.comparing_seconds = 10;
  config.seconds_a_round = 1;
  const auto accepted = accept(
      *model, 1, folder / "o.onnx", config,
      {[](const Model&, const Model&, double) -> Result<Verdict> { return equivalent(); }, backend,
       [&](double seconds, bool twice) -> Profiler& {
         asked.emplace_back(seconds, twice);
         return profiler;
       }});
  REQUIRE(accepted.ok());
  CHECK(fs::exists(folder / "o.onnx") == is_faster);
  // However little time there is, some rounds fit.
  REQUIRE(asked.size() == 2);
  CHECK(asked[0] == std::pair(16.0, false));
  CHECK(asked[1] == std::pair(32.0, true));
}

TEST_CASE("A plan that the runtime refuses is rejected, and the others are measured") {
  FakeProfiler among = slow(0);
  FakeProfiler against = refusing(2);
  const auto accepted = four_plans(1000, among, against);
  REQUIRE(accepted.ok());
  REQUIRE(accepted->rejected.size() == 4);
  CHECK(accepted->rejected[0].reason == "not measured: a fusion failed");
  CHECK(accepted->rejected[2].reason.find("not faster as a whole") == 0);
}

TEST_CASE("Where no file can be measured, that is an error") {
  FakeProfiler among = slow(0);
  FakeProfiler against = refusing(100);
  const auto accepted = four_plans(1000, among, against);
  REQUIRE_FALSE(accepted.ok());
  CHECK(accepted.error().message == "a fusion failed");
}

TEST_CASE("What is put in place is the file that was proved, and nothing is left beside it") {
  const bool tampers = GENERATE(false, true);
  const ScratchFolder folder;
  const auto model = read_model(one_node("Relu").save(folder / "m.onnx"));
  REQUIRE(model.ok());
  EchoBackend backend;
  // Every file is faster; when it is measured for the second time somebody has written to it.
  FakeProfiler profiler([&](const fs::path& file, int asked) {
    if (tampers && asked == 2) one_node("Neg").save(file);
    return decided(Decision::Faster);
  });
  Digest proved;
  const FileProver prove = [&](const Model&, const Model& changed, double) -> Result<Verdict> {
    proved = changed.digest;
    return equivalent();
  };
  const auto accepted =
      accept(*model, 1, folder / "o.onnx", {},
             {prove, backend, [&](double, bool) -> Profiler& { return profiler; }});
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

TEST_CASE("Every stage is told before it begins, and what came of it after") {
  const ScratchFolder folder;
  const auto model = read_model(one_node("Relu").save(folder / "m.onnx"));
  REQUIRE(model.ok());
  EchoBackend backend;
  FakeProfiler profiler([](const fs::path&, int) { return decided(Decision::Faster); });
  const FileProver prove = [](const Model&, const Model&, double) -> Result<Verdict> {
    return equivalent();
  };
  std::vector<std::string> told;
  const auto hear = [&](const Event& event) {
    std::visit(overloaded{[&](const StageStarted& e) { told.emplace_back(to_string(e.stage)); },
                          [&](const FileMeasured&) { told.emplace_back("measured"); },
                          [&](const FileProved&) { told.emplace_back("proved"); },
                          [&](const NumbersCompared&) { told.emplace_back("compared"); },
                          [&](const PlanTried& e) { told.emplace_back(e.accepted ? "yes" : "no"); },
                          [](const auto&) {}},
               event);
  };
  REQUIRE(accept(*model, 1, folder / "o.onnx", {},
                 {prove, backend, [&](double, bool) -> Profiler& { return profiler; }}, hear)
              .ok());
  CHECK(told == std::vector<std::string>{
                    "computing weights ahead of time", "measuring the whole file", "measured",
                    "proving the written file", "proved", "running both files on random inputs",
                    "compared", "measuring on fresh samples", "measured", "yes"});
}

TEST_CASE("Two runs beside each other write to files of different names") {
  // Each plan's file is seen while it is measured; no name comes twice.
  std::set<fs::path> seen;
  FakeProfiler against([&](const fs::path& file, int) {
    CHECK(fs::exists(file));
    CHECK(seen.insert(file.filename()).second);
    return decided(Decision::Tie);
  });
  FakeProfiler among = slow(0);
  for (int run = 0; run < 2; ++run) REQUIRE(four_plans(1000, among, against).ok());
  CHECK(seen.size() == 8);
}

}  // namespace
}  // namespace pet
