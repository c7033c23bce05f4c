#include "core/backend/cached_profiler.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

#include "core/backend/scratch_folder.h"

using namespace pet;
namespace fs = std::filesystem;

namespace {

class FakeProfiler final : public Profiler {
 public:
  Result<Comparison> compare(const fs::path&, const fs::path&, std::stop_token) override {
    ++calls;
    if (fails) return Error{"no runtime", ErrorKind::Tool};
    return answer;
  }

  int calls = 0;
  bool fails = false;
  Comparison answer{
      {{3.0, 3.25, 2.5}, {1.5, 1.25, 1.0}}, {2.5, 1.75, HUGE_VAL}, Decision::Faster, 4};
};

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Bench {
 public:
  Bench() {
    write(a, "original");
    write(b, "candidate");
  }

  Comparison ask() { return ask(context); }
  // By a profiler that has just been started, as in another run.
  Comparison ask(const MeasuringContext& around) {
    CachedProfiler cached(inner, database, around);
    const auto result = cached.compare(a, b, {});
    REQUIRE(result.ok());
    return *result;
  }

  ScratchFolder folder = *ScratchFolder::make("cached-profiler-test");
  fs::path a = folder.path() / "a.onnx";
  fs::path b = folder.path() / "b.onnx";
  fs::path database = folder.path() / "measurements.jsonl";
  MeasuringContext context{{"runtime", "1.2", "some CPU", 8}, 2, "a plan"};
  FakeProfiler inner;
};

}  // namespace

TEST_CASE("A_measured_comparison_is_answered_from_the_file_in_the_next_run") {
  Bench bench;
  const Comparison first = bench.ask();
  CHECK(first.seconds == 4);
  const Comparison second = bench.ask();
  CHECK(bench.inner.calls == 1);
  CHECK(second.decision == Decision::Faster);
  CHECK(second.seconds == 0);
  CHECK(second.ratio.median == first.ratio.median);
  CHECK(second.ratio.low == first.ratio.low);
  CHECK(second.ratio.high == HUGE_VAL);
  REQUIRE(second.timing.a_ms.size() == 3);
  CHECK(second.timing.a_ms[1] == Approx(3.25));
  CHECK(second.timing.b_ms[2] == Approx(1.0));
}

TEST_CASE("A_measured_comparison_is_answered_in_the_same_run_where_no_file_can_be_written") {
  Bench bench;
  CachedProfiler cached(bench.inner, bench.folder.path() / "none" / "m.jsonl", bench.context);
  REQUIRE(cached.compare(bench.a, bench.b, {}).ok());
  REQUIRE(cached.compare(bench.a, bench.b, {}).ok());
  CHECK(bench.inner.calls == 1);
  CHECK(cached.reused() == 1);
  CHECK_FALSE(fs::exists(bench.folder.path() / "none"));
}

TEST_CASE("Whatever_the_times_depend_on_makes_a_comparison_another_one") {
  Bench bench;
  bench.ask();
  MeasuringContext other = bench.context;
  SECTION("the original's bytes") { write(bench.a, "originaL"); }
  SECTION("the candidate's bytes") { write(bench.b, "candidate "); }
  SECTION("where one file ends and the other begins") {
    write(bench.a, "originalc");
    write(bench.b, "andidate");
  }
  SECTION("which is which") { std::swap(bench.a, bench.b); }
  SECTION("threads") { other.threads = 1; }
  SECTION("the runtime") { other.backend.name = "another"; }
  SECTION("the runtime's version") { other.backend.version = "1.3"; }
  SECTION("the CPU") { other.backend.device = "another CPU"; }
  SECTION("the worker's build") { other.backend.build = "another"; }
  SECTION("how the worker was started") { other.backend.options["tuning"] = "full"; }
  SECTION("the plan") { other.plan = "another"; }
  bench.ask(other);
  CHECK(bench.inner.calls == 2);
  bench.ask(other);
  CHECK(bench.inner.calls == 2);
}

TEST_CASE("A_plan_holds_the_rule_the_sizes_and_the_worker_but_no_seed_and_no_budget") {
  const ScratchFolder folder = *ScratchFolder::make("cached-profiler-test");
  const fs::path script = folder.path() / "worker.py";
  write(script, "all optimisations");
  MeasuringProfiler::Options options;
  const auto plan = [&] { return measuring_context({}, options, {"python", script}).plan; };
  const std::string before = plan();
  options.seed = 7;
  options.budget = std::chrono::milliseconds(1);
  CHECK(plan() == before);
  SECTION("rule") { options.rule.min_gain = 1.5; }
  SECTION("sizes") { options.load.dimensions["batch"] = 2; }
  SECTION("evicted memory") { options.evict_mib = 1; }
  SECTION("worker") { write(script, "no optimisations"); }
  CHECK(plan() != before);
}

TEST_CASE("Undecided_comparisons_and_errors_are_measured_again") {
  Bench bench;
  bench.inner.answer.decision = Decision::Undecided;
  bench.ask();
  bench.ask();
  CHECK(bench.inner.calls == 2);
  bench.inner.fails = true;
  CachedProfiler cached(bench.inner, bench.database, bench.context);
  CHECK_FALSE(cached.compare(bench.a, bench.b, {}).ok());
  CHECK(bench.inner.calls == 3);
  CHECK_FALSE(fs::exists(bench.database));
}

TEST_CASE("A_torn_last_line_costs_that_line_and_not_the_next") {
  Bench bench;
  bench.ask();
  const std::string whole = read(bench.database);
  write(bench.database, whole.substr(0, whole.size() / 2));
  bench.ask();
  CHECK(bench.inner.calls == 2);
  bench.ask();
  CHECK(bench.inner.calls == 2);
  CHECK(read(bench.database).find("\n{") == whole.size() / 2);
}

TEST_CASE("A_line_that_makes_no_sense_is_passed_over") {
  Bench bench;
  bench.ask();
  const std::string good = read(bench.database);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    REQUIRE(text.find(from) != std::string::npos);
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string bad = GENERATE_REF(
      std::string("\n"), std::string("[]\n"), std::string("\xff\xfe\x01\n"),
      std::string("{\"key\": 3}\n"), with("\"faster\"", "\"undecided\""),
      with("\"faster\"", "true"), with("[3000000", "[-1"), with("[3000000", "[\"x\""),
      with("[3000000,", "["), with("\"median\":2.5", "\"median\":0.5"), with("a_ns", "c_ns"));
  write(bench.database, bad);
  bench.ask();
  CHECK(bench.inner.calls == 2);
  write(bench.database, bad + good + bad);
  bench.ask();
  CHECK(bench.inner.calls == 2);
}

TEST_CASE("Two_processes_that_write_at_once_lose_nothing") {
  Bench bench;
  constexpr int kEach = 100;
  const auto name = [&](int process, int i) {
    return bench.folder.path() / (std::to_string(process) + "_" + std::to_string(i));
  };
  for (int process = 0; process < 2; ++process) {
    for (int i = 0; i < kEach; ++i) write(name(process, i), name(process, i).string());
  }
  bench.inner.answer.timing.a_ms.assign(500, 2.0);
  bench.inner.answer.timing.b_ms.assign(500, 1.0);
  std::vector<pid_t> children;
  for (int process = 0; process < 2; ++process) {
    const pid_t pid = ::fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
      CachedProfiler cached(bench.inner, bench.database, bench.context);
      for (int i = 0; i < kEach; ++i) (void)cached.compare(bench.a, name(process, i), {});
      ::_exit(0);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) REQUIRE(::waitpid(pid, nullptr, 0) == pid);
  CachedProfiler cached(bench.inner, bench.database, bench.context);
  for (int process = 0; process < 2; ++process) {
    for (int i = 0; i < kEach; ++i) REQUIRE(cached.compare(bench.a, name(process, i), {}).ok());
  }
  CHECK(cached.reused() == 2 * kEach);
  CHECK(bench.inner.calls == 0);
}

TEST_CASE("The_users_own_measurements_lie_in_the_cache_folder") {
  const ScratchFolder folder = *ScratchFolder::make("cached-profiler-test");
  const char* before = std::getenv("XDG_CACHE_HOME");
  const std::string restored = before == nullptr ? "" : before;
  ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  CHECK(default_measurements() == folder.path() / "pet" / "measurements.jsonl");
  CHECK(fs::is_directory(folder.path() / "pet"));
  write(folder.path() / "file", "");
  ::setenv("XDG_CACHE_HOME", (folder.path() / "file").c_str(), 1);
  CHECK_FALSE(default_measurements());
  if (before == nullptr) {
    ::unsetenv("XDG_CACHE_HOME");
  } else {
    ::setenv("XDG_CACHE_HOME", restored.c_str(), 1);
  }
}
