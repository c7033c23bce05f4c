#include "app/pet/optimize.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <memory>

#include "app/pet/commands.h"
#include "app/pet/stopping.h"
#include "app/pet/support.h"
#include "core/backend/cached_profiler.h"
#include "core/backend/runtime.h"
#include "core/search/journal.h"
#include "core/search/pet_search.h"
#include "core/util/overloaded.h"
#include "verify/bitmap_checker.h"
#include "verify/file_proof.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// One line on a terminal, overwritten; nothing elsewhere.
class Progress {
 public:
  void show(const std::string& line) {
    if (!on_) return;
    fmt::print(stderr, "\r\033[K{}", line.substr(0, 150));
    std::fflush(stderr);
  }
  void clear() { show(""); }

 private:
  bool on_ = ::isatty(2) == 1;
};

class Optimizer {
 public:
  explicit Optimizer(const OptimizeOptions& options) : options_(options) {}

  int run() {
    const auto start = Clock::now();
    if (auto status = prepare(); !status) return fail(status.error());
    auto model = read_model(options_.in, {.dimensions = shapes_});
    if (!model) return fail(model.error());
    result_.model = &*model;
    const auto command = worker_command();
    if (!command) return fail(command.error());
    auto runtime = Runtime::start({.command = *command}, stopping_.everything());
    if (!runtime) return fail(runtime.error());
    result_.target = (*runtime)->info();
    result_.seconds["set-up"] = seconds_since(start);
    const auto choices = search(*model, **runtime);
    if (!choices) return fail(choices.error());
    const auto accepting = Clock::now();
    auto accepted = try_to_accept(*model, *choices, **runtime);
    if (!accepted && accepted.error().kind != ErrorKind::Stopped) return fail(accepted.error());
    if (accepted) {
      result_.accepted = *std::move(accepted);
    } else {
      result_.accepted.reason = "stopped before the proof was finished";
    }
    result_.seconds["accept"] = seconds_since(accepting);
    if (result_.accepted.chosen.empty()) {
      if (auto status = write_model(*model, options_.out); !status) return fail(status.error());
    }
    result_.seconds["total"] = seconds_since(start);
    return tell();
  }

 private:
  Status prepare() {
    auto shapes = parse_shapes(options_.shapes);
    if (!shapes) return std::move(shapes).error();
    shapes_ = *std::move(shapes);
    const auto budget = parse_seconds(options_.budget);
    if (!budget) return budget.error();
    budget_ = *budget;
    if (options_.target != "ort")
      return Error{fmt::format("--target {}: only ort can be measured", options_.target),
                   ErrorKind::Usage};
    for (const std::string& limit : options_.limits) {
      if (!limit.starts_with("steps=") ||
          limit.find_first_not_of("0123456789", 6) != std::string::npos || limit.size() > 18 ||
          limit.size() < 7) {
        return Error{fmt::format("--limits {}: expected steps=N", limit), ErrorKind::Usage};
      }
      steps_ = std::stoull(limit.substr(6));
    }
    std::error_code ignored;
    if (fs::equivalent(options_.in, options_.out, ignored)) {
      return Error{"the output would overwrite the original; name another file with -o",
                   ErrorKind::Usage};
    }
    const fs::path folder = fs::absolute(options_.out).parent_path();
    if (!fs::is_directory(folder))
      return Error{fmt::format("there is no folder {}", folder.string()), ErrorKind::Usage};
    if (::access(folder.c_str(), W_OK) != 0)
      return Error{fmt::format("the folder {} cannot be written to", folder.string()),
                   ErrorKind::Tool};
    result_.threads = options_.threads > 0 ? options_.threads : static_cast<int>(all_threads());
    result_.seed = options_.seed;
    return Done{};
  }

  MeasuringProfiler::Options measuring(double seconds) const {
    MeasuringProfiler::Options plan{.load = {.threads = result_.threads, .dimensions = shapes_}};
    plan.seed = options_.seed;
    plan.budget = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    return plan;
  }

  // Where the search keeps what it measured; the whole file is measured afresh whatever is there.
  std::optional<fs::path> measurements() const {
    if (options_.cache == "off") return std::nullopt;
    if (!options_.cache.empty()) return fs::path(options_.cache);
    return default_measurements();
  }

  Result<std::vector<Choice>> search(const Model& model, Runtime& runtime) {
    const auto start = Clock::now();
    std::optional<Journal> journal;
    if (!options_.journal.empty()) {
      auto made = Journal::create(options_.journal,
                                  {{"tool", PET_VERSION},
                                   {"seed", std::to_string(options_.seed)},
                                   {"budget_s", std::to_string(budget_)},
                                   {"threads", std::to_string(result_.threads)},
                                   {"target", result_.target.name + " " + result_.target.version},
                                   {"device", result_.target.device},
                                   {"model", model.digest.hex()}});
      if (!made) return std::move(made).error();
      journal = *std::move(made);
    }
    double saved = 0;
    std::string working = "reading";
    const EventSink sink = [&](const Event& event) {
      if (journal) journal->write(event);
      std::visit(
          overloaded{[&](const SubprogramFound& e) {
                       result_.subprograms.push_back(e);
                       working = e.operators;
                     },
                     [&](const BestImproved& e) { saved += e.saved_ms; },
                     [&](const SearchFinished& e) { result_.search = e; }, [](const auto&) {}},
          event);
    };
    constexpr double kSecondsACandidate = 4;
    MeasuringProfiler measuring_profiler(runtime, measuring(kSecondsACandidate));
    std::optional<CachedProfiler> cached;
    if (const auto file = measurements()) {
      const auto command = worker_command();
      if (!command) return command.error();
      cached.emplace(measuring_profiler, *file,
                     measuring_context(runtime.info(), measuring(kSecondsACandidate), *command));
    }
    Profiler& profiler = cached ? static_cast<Profiler&>(*cached) : measuring_profiler;
    BitmapChecker checker;
    SearchConfig config;
    config.seed = options_.seed;
    config.threads = all_threads();
    config.max_steps = steps_;
    PetSearch pet(model, runtime.info().name, config, checker, profiler, sink, stopping_.search());
    StopReason reason = StopReason::Finished;
    while (pet.step(Grain::Candidate) == StepStatus::Running) {
      const double left = budget_ - seconds_since(start);
      progress_.show(fmt::format("search {}/{} ({}), {:.3f} ms saved so far, {:.0f} s left",
                                 pet.subprograms_done(), pet.subprograms(), working, saved, left));
      if (left <= 0) {
        reason = StopReason::Budget;
        break;
      }
    }
    if (pet.subprograms_done() < pet.subprograms() && reason == StopReason::Finished) {
      reason = stopping_.asked_once() ? StopReason::Stopped : StopReason::StepLimit;
    }
    pet.finish(reason);
    progress_.clear();
    result_.seconds["search"] = seconds_since(start);
    return pet.best();
  }

  Result<Accepted> try_to_accept(const Model& model, const std::vector<Choice>& choices,
                                 Runtime& runtime) {
    AcceptanceConfig config;
    config.max_rel_error = options_.max_rel_error;
    config.max_growth = options_.max_growth;
    config.seed = options_.seed;
    config.read.dimensions = shapes_;
    config.load = {.threads = result_.threads, .dimensions = shapes_};
    config.metadata = {{"pet.version", PET_VERSION},
                       {"pet.source", model.digest.hex()},
                       {"pet.cpu", result_.target.device},
                       {"pet.runtime", result_.target.name + " " + result_.target.version},
                       {"pet.threads", std::to_string(result_.threads)}};
    constexpr double kSecondsAWhole = 30;
    MeasuringProfiler profiler(runtime, measuring(kSecondsAWhole));
    const FileProver prove = [&](const Model& a, const Model& b,
                                 double log2_error) -> Result<Verdict> {
      const auto start = Clock::now();
      FileProofOptions how;
      how.proof.log2_error = log2_error;
      how.proof.threads = all_threads();
      how.proof.stop = stopping_.everything();
      how.proof.progress = [&](double done) {
        progress_.show(fmt::format("proving the written file, {:.0f} %", 100 * done));
      };
      Verdict verdict = prove_files(a, b, how);
      result_.seconds["proof"] += seconds_since(start);
      if (stopping_.asked_twice()) return Error{"stopped", ErrorKind::Stopped};
      return verdict;
    };
    auto accepted = accept(
        model, choices, fs::absolute(options_.out), config, prove, runtime, profiler,
        [&](const std::string& stage) { progress_.show(stage); }, stopping_.everything());
    progress_.clear();
    return accepted;
  }

  int tell() {
    const auto report = report_of(options_, result_);
    if (!options_.report.empty()) {
      std::ofstream file(options_.report);
      file << report.dump(2) << "\n";
      if (!file.flush())
        return fail({fmt::format("cannot write {}", options_.report), ErrorKind::Tool});
    }
    if (options_.format == "json") {
      fmt::print("{}\n", report.dump());
    } else {
      fmt::print("{}", summary_of(options_, result_));
    }
    if (result_.accepted.disagreement) {
      fmt::print(stderr,
                 "pet: the search and the final proof disagree; the original was written. Please "
                 "report this with {}\n",
                 options_.in);
      return kDisagreement;
    }
    return stopping_.asked_once() ? kStopped : kDone;
  }

  const OptimizeOptions& options_;
  std::map<std::string, Dim> shapes_;
  double budget_ = 120;
  std::size_t steps_ = SIZE_MAX;
  Stopping stopping_;
  Progress progress_;
  OptimizeResult result_;
};

}  // namespace

Command add_optimize(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "optimize", "writes a faster ONNX file, proved equivalent; the original where there is none");
  auto o = std::make_shared<OptimizeOptions>();
  command->add_option("file", o->in, "an ONNX file")->required();
  command->add_option("-o,--output", o->out, "the file to write")->required();
  command->add_option("--shape", o->shapes, "size of an open dimension, name=size");
  command->add_option("--target", o->target, "the runtime to be fast in")->capture_default_str();
  command->add_option("--threads", o->threads, "of the runtime; all by default")
      ->check(CLI::Range(0, 1024));
  command->add_option("--budget", o->budget, "time for the search")->capture_default_str();
  command->add_option("--limits", o->limits, "steps=N: look at N mutants at most (reproducible)");
  command->add_option("--seed", o->seed, "of the search; proofs draw their own")
      ->capture_default_str();
  command
      ->add_option("--max-rel-error", o->max_rel_error,
                   "largest numerical difference of an output, relative to its largest value")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--max-growth", o->max_growth,
                   "largest size of the file, relative to the original")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--cache", o->cache,
                      "a file that remembers the search's measurements, or off; by default one in "
                      "the user's cache folder");
  command->add_option("--journal", o->journal, "write what happens as JSON lines");
  command->add_option("--report", o->report, "write the result as JSON");
  command->add_option("--format", o->format, "of what is printed")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json"}));
  return [o] { return Optimizer(*o).run(); };
}

}  // namespace pet::app
