#include "core/search/acceptance.h"

#include <algorithm>
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

// Refuses so many files, each however often it is asked, and finds the others no faster.
FakeProfiler refusing(std::size_t files) {
  return FakeProfiler(
      [=, refused = std::set<fs::path>()](const fs::path& file, int) mutable -> Result<Comparison> {
        if (refused.size() < files) refused.insert(file);
        if (refused.contains(file)) return Error{"a fusion failed", ErrorKind::Tool};
        return decided(Decision::Tie);
      });
}

// A race of files that take so long, in the order in which they were seen first; the original takes
// 10 ms. Each comparison takes its time.
class Course final : public Profiler {
 public:
  explicit Course(std::vector<double> ms, double seconds = 0)
      : ms_(std::move(ms)), seconds_(seconds) {}

  Result<Comparison> compare(const fs::path&, const fs::path& file, std::stop_token) override {
    compared.push_back(number(file));
    return of(number(file));
  }
  Result<RaceResult> race(const fs::path& original, std::span<const fs::path> files,
                          std::stop_token stop) override {
    races.emplace_back();
    for (const fs::path& file : files) races.back().push_back(number(file));
    auto out = Profiler::race(original, files, std::move(stop));
    for (std::size_t i = 0; i < files.size(); ++i) compared.pop_back();
    return out;
  }

  // By the order in which they were seen first.
  std::vector<std::vector<std::size_t>> races;
  std::vector<std::size_t> compared;  // by themselves, with the original

 private:
  std::size_t number(const fs::path& file) {
    const auto it = std::ranges::find(seen_, file);
    if (it != seen_.end()) return static_cast<std::size_t>(it - seen_.begin());
    seen_.push_back(file);
    return seen_.size() - 1;
  }
  Comparison of(std::size_t file) const {
    const double ratio = 10 / ms_[file];
    Comparison out = decided(ratio > 1 ? Decision::Faster : Decision::Slower, seconds_);
    out.timing = {{10}, {ms_[file]}};
    out.ratio = {ratio, ratio, ratio};
    return out;
  }

  std::vector<double> ms_;
  double seconds_;
  std::vector<fs::path> seen_;
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

FileVerdict equivalent() {
  FileVerdict verdict;
  verdict.outcome = Outcome::Equivalent;
  verdict.log2_error = -90;
  return verdict;
}

// Plans that change nothing, and promise so much.
std::vector<Plan> promising(const std::vector<double>& saved_ms) {
  std::vector<Plan> out;
  for (const double ms : saved_ms) out.push_back({{}, ms});
  return out;
}

// All its stages.
Result<Accepted> accept(
    const Model& model, std::vector<Plan> plans, const fs::path& target,
    const AcceptanceConfig& config, const Judges& judges, EventSink sink = [](const Event&) {}) {
  Acceptance acceptance(model, std::move(plans), target, config, judges, std::move(sink), {});
  while (true) {
    const auto status = acceptance.step();
    if (!status) return status.error();
    if (*status == StepStatus::Finished) return acceptance.take();
  }
}

// What is proved, in order, by the numbers of plans; and what came of each plan.
struct Trial {
  std::vector<FileEffort> efforts;
  std::vector<std::size_t> measured, proved;
  std::vector<std::string> reasons;  // of plans that came to nothing
  Result<Accepted> accepted = Error{"not tried"};
  bool is_written = false;

  Trial(std::vector<Plan> plans, Profiler& profiler, double comparing_seconds = 1000,
        std::set<std::size_t> unproved = {}) {
    const ScratchFolder folder;
    const auto model = read_model(one_node("Relu").save(folder / "m.onnx"));
    REQUIRE(model.ok());
    EchoBackend backend;
    AcceptanceConfig config;
    config.comparing_seconds = comparing_seconds;
    config.seconds_a_run = 1;
    std::size_t at_work = 0;
    const FileProver prove = [&](const Model&, const Model&, double) -> Result<FileVerdict> {
      proved.push_back(at_work);
      FileVerdict verdict = equivalent();
      if (unproved.contains(at_work)) verdict.outcome = Outcome::Unknown;
      return verdict;
    };
    const auto profile_files = [&](const FileEffort& effort) -> Profiler& {
      CHECK(std::ranges::none_of(efforts, [&](const auto& e) { return e.draw == effort.draw; }));
      efforts.push_back(effort);
      return profiler;
    };
    accepted = accept(*model, std::move(plans), folder / "o.onnx", config,
                      {prove, backend, profile_files}, [&](const Event& event) {
                        if (const auto* e = std::get_if<StageStarted>(&event)) at_work = e->plan;
                        if (const auto* e = std::get_if<FileMeasured>(&event))
                          measured.push_back(e->plan);
                        if (const auto* e = std::get_if<PlanTried>(&event); e && !e->accepted)
                          reasons.push_back(e->reason);
                      });
    is_written = fs::exists(folder / "o.onnx");
    CHECK(folder.files() == (is_written ? 2 : 1));
  }
};

TEST_CASE("Where a file keeps what its places promise no other one is written") {
  Course course({5});
  const Trial trial(promising({5.1, 4, 2}), course);
  CHECK(trial.is_written);
  CHECK(course.races == std::vector<std::vector<std::size_t>>{{0}});
  CHECK(trial.proved == std::vector<std::size_t>{0});
  REQUIRE(trial.reasons.size() == 2);
  CHECK(trial.reasons[0].find("not tried: it promises to save 4.000 ms") == 0);
  REQUIRE(trial.efforts.size() == 2);
  CHECK_FALSE(trial.efforts[0].is_seen_twice);
  CHECK(trial.efforts[1].is_seen_twice);
}

TEST_CASE("Where it keeps less, those that could do better run a race with it") {
  // It saves 2 of 5 ms. One promises 4 ms and saves 3, one promises 1.5 ms.
  Course course({8, 7});
  const Trial trial(promising({5, 4, 1.5}), course);
  CHECK(trial.is_written);
  CHECK(course.races == std::vector<std::vector<std::size_t>>{{0}, {0, 1}});
  CHECK(trial.proved == std::vector<std::size_t>{1});
  // Recordings are in the order of the ranking.
  CHECK(trial.measured == std::vector<std::size_t>{0, 1, 0, 1});
  CHECK(trial.efforts[1].candidates == 2);
  CHECK(course.compared == std::vector<std::size_t>{1});
}

TEST_CASE("Where places save more together than each promised, others may do so too") {
  // Twice as much: what promises 4.9 ms is as good as what promises 5, what promises 4 is not.
  Course course({0.5, 0.4});
  const Trial trial(promising({5, 4.9, 4}), course);
  CHECK(course.races == std::vector<std::vector<std::size_t>>{{0}, {0, 1}});
  CHECK(trial.proved == std::vector<std::size_t>{1});
}

TEST_CASE("Where the first is no faster than the original all others are tried without it") {
  Course course({12, 13, 8});
  const Trial trial(promising({5, 4, 1}), course);
  CHECK(course.races == std::vector<std::vector<std::size_t>>{{0}, {1, 2}});
  CHECK(trial.proved == std::vector<std::size_t>{2});
  CHECK(trial.is_written);
}

TEST_CASE("Where nothing is faster nothing is proved") {
  Course course({12, 13, 11});
  const Trial trial(promising({5, 4, 1}), course);
  CHECK(trial.proved.empty());
  CHECK_FALSE(trial.is_written);
  REQUIRE(trial.accepted.ok());
  CHECK(trial.accepted->rejected.size() == 3);
  CHECK(trial.accepted->reason.find("not faster as a whole") == 0);
}

TEST_CASE("Where the winner is not proved the next one is, by what the race said of it") {
  Course course({8, 7, 6});
  const Trial trial(promising({9, 8, 7}), course, 1000, {2});
  CHECK(trial.proved == std::vector<std::size_t>{2, 1});
  CHECK(course.races.size() == 2);
  CHECK(trial.is_written);
}

TEST_CASE("Once whole files were compared for too long no other plan is tried, and that is said") {
  Course course({8, 7, 6}, 40);
  const Trial early(promising({9, 8, 7}), course, 30);
  CHECK(early.proved == std::vector<std::size_t>{0});
  CHECK(early.is_written);
  REQUIRE(early.reasons.size() == 2);
  CHECK(early.reasons[0] == "not tried: whole files were compared for 40 s before");
  Course later({8, 7, 6}, 40);
  const Trial late(promising({9, 8, 7}), later, 150, {2});
  CHECK(late.proved == std::vector<std::size_t>{2});
  CHECK_FALSE(late.is_written);
  CHECK(late.reasons.back() == "not tried: whole files were compared for 160 s before");
}

TEST_CASE("However little time there is some rounds fit") {
  Course course({8, 7});
  const Trial trial(promising({9, 8}), course, 1);
  REQUIRE(trial.efforts.size() == 2);
  CHECK(trial.efforts[0].seconds == Approx(8 * 2));          // a race of two to its first look
  CHECK(trial.efforts[1].seconds >= 28 * (10 + 8) / 1000.);  // by the times that were seen
  CHECK(course.races.size() == 1);                           // there is no time for others
}

TEST_CASE("What promises much goes on to its proof undecided, and is decided after it") {
  const bool is_faster = GENERATE(false, true);
  FakeProfiler profiler([&](const fs::path&, int asked) {
    Comparison out = decided(asked == 2 && is_faster ? Decision::Faster : Decision::Undecided);
    out.ratio = {1.5, 0, 3};
    return out;
  });
  const Trial trial(promising({1}), profiler);
  CHECK(trial.proved.size() == 1);
  CHECK(trial.is_written == is_faster);
}

TEST_CASE("A plan that the runtime refuses is rejected, and the others are measured") {
  FakeProfiler profiler = refusing(2);
  const Trial trial(promising({4, 3, 2, 1}), profiler);
  REQUIRE(trial.accepted.ok());
  REQUIRE(trial.accepted->rejected.size() == 4);
  CHECK(std::ranges::count(trial.reasons, "not measured: a fusion failed") == 2);
  CHECK(trial.reasons[0].find("not faster as a whole") == 0);
}

TEST_CASE("Where no file can be measured, that is an error") {
  FakeProfiler profiler = refusing(100);
  const Trial trial(promising({4, 3, 2, 1}), profiler);
  REQUIRE_FALSE(trial.accepted.ok());
  CHECK(trial.accepted.error().message == "a fusion failed");
}

TEST_CASE("A stop in the middle of a race ends everything") {
  FakeProfiler profiler([](const fs::path&, int asked) -> Result<Comparison> {
    if (asked == 3) return Error{"stopped", ErrorKind::Stopped};
    return decided(Decision::Undecided);
  });
  const Trial trial(promising({4, 3, 2}), profiler);
  REQUIRE_FALSE(trial.accepted.ok());
  CHECK(trial.accepted.error().kind == ErrorKind::Stopped);
  CHECK(profiler.asked == 3);
  CHECK_FALSE(trial.is_written);
}

TEST_CASE("A worker that dies while fresh samples are taken is asked once more") {
  FakeProfiler profiler([](const fs::path&, int asked) -> Result<Comparison> {
    if (asked == 2) return Error{"it died", ErrorKind::Tool};
    return decided(Decision::Faster);
  });
  CHECK(Trial(promising({4}), profiler).is_written);
  CHECK(profiler.asked == 3);
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
  const FileProver prove = [&](const Model&, const Model& changed, double) -> Result<FileVerdict> {
    proved = changed.digest;
    return equivalent();
  };
  const auto accepted =
      accept(*model, promising({1}), folder / "o.onnx", {},
             {prove, backend, [&](const FileEffort&) -> Profiler& { return profiler; }});
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
  const FileProver prove = [](const Model&, const Model&, double) -> Result<FileVerdict> {
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
  REQUIRE(accept(*model, promising({1}), folder / "o.onnx", {},
                 {prove, backend, [&](const FileEffort&) -> Profiler& { return profiler; }}, hear)
              .ok());
  CHECK(told == std::vector<std::string>{
                    "computing weights ahead of time", "measuring the whole file", "measured",
                    "proving the written file", "proved", "running both files on random inputs",
                    "compared", "measuring on fresh samples", "measured", "yes"});
}

TEST_CASE("Two runs beside each other write to files of different names") {
  // Each plan's file is seen while it is measured; no name comes twice.
  std::set<fs::path> seen;
  FakeProfiler profiler([&](const fs::path& file, int) {
    CHECK(fs::exists(file));
    CHECK(seen.insert(file.filename()).second);
    return decided(Decision::Tie);
  });
  for (int run = 0; run < 2; ++run)
    CHECK_FALSE(Trial(promising({4, 3, 2, 1}), profiler).is_written);
  CHECK(seen.size() == 8);
}

}  // namespace
}  // namespace pet
