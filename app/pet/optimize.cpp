// Over 400 lines: one run from end to end, stage after stage.
#include "app/pet/optimize.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <memory>

#include "app/common/deadline.h"
#include "app/common/files.h"
#include "app/common/json_text.h"
#include "app/common/machine.h"
#include "app/common/progress.h"
#include "app/pet/commands.h"
#include "app/pet/optimize_paths.h"
#include "app/pet/resuming.h"
#include "app/pet/runtime.h"
#include "app/pet/stopping.h"
#include "core/backend/cached_profiler.h"
#include "core/backend/measuring_profiler.h"
#include "core/onnx/export.h"
#include "core/search/replay.h"
#include "core/util/overloaded.h"
#include "core/util/printable.h"
#include "verify/certificate.h"
#include "verify/file_proof.h"
#include "verify/search_checker.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// How long the whole file may be measured before and after the proof, each; once somebody waits for
// the end, less will do.
constexpr double kSecondsAWhole = 60;
constexpr std::size_t kRoundsAWhole = 90;  // where these take longer, they may
constexpr double kSecondsAWholeWhenStopping = 10;

class Optimizer {
 public:
  Optimizer(OptimizeOptions options, std::optional<JournalContent> resumed)
      : options_(std::move(options)), resumed_(std::move(resumed)) {}

  int run() {
    const auto start = Clock::now();
    if (auto status = prepare(); !status) return fail(status.error());
    auto model = read_model(options_.in, {.dimensions = shapes_});
    if (!model) return fail(model.error());
    if (auto known = check_shapes(shapes_, std::array<const Model*, 1>{&*model}); !known)
      return fail(known.error());
    if (auto kept = keep_what_is_read(*model, options_); !kept) return fail(kept.error());
    result_.model = &*model;
    if (!options_.input_data.empty()) {
      auto data = read_input_data(*model, options_.input_data);
      if (!data) return fail(std::move(data).error().within("--input-data"));
      input_data_ = *std::move(data);
    }
    auto target = start_target(options_.target, stopping_.everything());
    if (!target) return fail(target.error());
    result_.target = target->backend->info();
    if (auto runs =
            check_runs(*target->backend, options_.in, load_options(), stopping_.everything());
        !runs) {
      return fail(std::move(runs).error());
    }
    if (auto status = open_journal(*model); !status) return fail(status.error());
    if (auto status = time_original(*model, *target->backend); !status)
      failure_ = std::move(status).error();
    result_.seconds["set-up"] = seconds_since(start);
    if (!failure_) optimize(*model, *target);
    if (failure_ && result_.accepted.chosen.empty()) result_.accepted.reason = failure_->message;
    if (result_.accepted.chosen.empty()) {
      if (auto status = write_model(*model, options_.out); !status) return fail(status.error());
      certify(*model, *model, proof_of_copy(*model), {});
    }
    result_.seconds["total"] = seconds_since(start);
    return tell();
  }

 private:
  Status prepare() {
    auto shapes = parse_shapes(options_.shapes);
    if (!shapes) return std::move(shapes).error();
    shapes_ = *std::move(shapes);
    auto budget = parse_seconds(options_.budget);
    if (!budget) return std::move(budget).error().within("--budget");
    budget_ = result_.budget_s = *budget;
    auto proof_budget = parse_seconds(options_.proof_budget);
    if (!proof_budget) return std::move(proof_budget).error().within("--proof-budget");
    proof_budget_ = *proof_budget;
    auto steps = parse_steps(options_.limits);
    if (!steps) return std::move(steps).error();
    steps_ = *steps;
    result_.threads = options_.threads > 0 ? options_.threads : static_cast<int>(all_threads());
    result_.seed = options_.seed;
    return check_paths(options_);
  }

  LoadOptions load_options() const {
    return {.threads = result_.threads, .dimensions = shapes_, .ranges = ranges_};
  }

  // Before anything else is measured: whatever comes of the search, the report has it, and a model
  // that loads but does not run is known.
  Status time_original(const Model& model, Backend& backend) {
    constexpr double kSeconds = 1;
    auto ranges = input_ranges(model);
    if (!ranges) return std::move(ranges).error().within(printable(options_.in));
    ranges_ = *std::move(ranges);
    progress_.show("measuring the original");
    auto times = time_alone(backend, options_.in, load_options(), kSeconds, options_.seed,
                            stopping_.search());
    progress_.clear();
    if (times) result_.original_ms = *std::move(times);
    if (times || times.error().kind == ErrorKind::Stopped) return Done{};
    return std::move(times).error();
  }

  // Searches, and writes the file if something is accepted.
  void optimize(const Model& model, const Target& target) {
    const std::vector<Plan> plans = search(model, target);
    if (failure_) return;
    const auto accepting = Clock::now();
    auto accepted = try_to_accept(model, plans, *target.backend);
    if (accepted) {
      result_.accepted = *std::move(accepted);
    } else if (accepted.error().kind == ErrorKind::Stopped) {
      result_.accepted.reason = "stopped before the proof was finished";
    } else {
      failure_ = std::move(accepted).error();
    }
    result_.seconds["accept"] = seconds_since(accepting);
  }

  MeasuringProfiler::Options measuring(double seconds) const {
    MeasuringProfiler::Options plan{.load = load_options()};
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

  Status open_journal(const Model& model) {
    if (options_.journal.empty()) return Done{};
    if (resumed_) {
      auto same = check_resumable(resumed_->header, model, result_.target);
      if (!same) return same;
    }
    auto made = resumed_ ? Journal::resume(options_.journal, *resumed_)
                         : Journal::create(options_.journal,
                                           header_of(options_, search_config(), model, shapes_,
                                                     result_.target, result_.threads, budget_));
    if (!made) return std::move(made).error();
    journal_ = *std::move(made);
    return Done{};
  }

  SearchConfig search_config() const {
    return resumed_ ? resumed_->header.config : config_of(options_, steps_);
  }

  // Of the budget: a resumed search has spent what it had spent before.
  double spent(Clock::time_point start) const {
    return resumed_ ? journal_->seconds() : seconds_since(start);
  }

  // Steps until nothing is left to do, or the time is over. `working`: what on, for people.
  StopReason drive(PetSearch& pet, Clock::time_point start, const std::string& working) {
    constexpr double kSecondsAProgress = 0.1;
    double shown = 0;
    while (pet.step(Grain::Node) == StepStatus::Running) {
      const double left = budget_ - spent(start);
      if (seconds_since(start) >= shown + kSecondsAProgress) {
        shown = seconds_since(start);
        progress_.show(fmt::format("search {}/{} ({}), {:.3f} ms saved so far, {:.0f} s left",
                                   pet.subprograms_done(), pet.subprograms(), working,
                                   saved_ms_.load(), left));
      }
      if (journal_ && journal_->divergence()) return StopReason::Stopped;
      if (left <= 0 && !(journal_ && journal_->is_repeating())) return StopReason::Budget;
    }
    if (pet.is_finished()) return StopReason::Finished;
    return stopping_.asked_once() ? StopReason::Stopped : StopReason::StepLimit;
  }

  std::vector<Plan> search(const Model& model, const Target& target) {
    const auto start = Clock::now();
    std::size_t failed = 0;
    std::string why_failed;
    std::string working = "reading";
    const EventSink sink = [&](const Event& event) {
      std::visit(
          overloaded{[&](const SubprogramFound& e) {
                       ++result_.subprograms;
                       working = e.operators;
                     },
                     [&](const BestImproved& e) {
                       saved_ms_ = saved_ms_ + e.saved_ms;
                       found_ = true;
                     },
                     [&](const CandidateFailed& e) {
                       ++failed;
                       why_failed = e.why;
                     },
                     [&](const SearchFinished& e) { result_.search = e; }, [](const auto&) {}},
          event);
      result_.record.add(event);
      if (journal_) journal_->write(event);  // last: who reads it may act on it at once
    };
    constexpr double kSecondsACandidate = 4;
    MeasuringProfiler::Options plan = measuring(kSecondsACandidate);
    plan.load.ranges.clear();  // windows have inputs of their own
    MeasuringProfiler measuring_profiler(*target.backend, plan);
    std::optional<CachedProfiler> cached;
    if (const auto file = measurements()) {
      cached.emplace(measuring_profiler, *file,
                     measuring_context(result_.target, plan, target.command));
    }
    Profiler& live = cached ? static_cast<Profiler&>(*cached) : measuring_profiler;
    ReplayProfiler profiler(
        resumed_ ? recorded_comparisons(*resumed_) : std::vector<RecordedComparison>(), &live);
    SearchChecker checker;
    PetSearch pet(model, result_.target.name, search_config(), checker, profiler, sink,
                  stopping_.search());
    pet.finish(drive(pet, start, working));
    progress_.clear();
    result_.measurements_made = measuring_profiler.made();
    result_.measurements_reused = profiler.replayed() + (cached ? cached->reused() : 0);
    if (journal_ && journal_->divergence()) {
      failure_ = Error{fmt::format("{}, {}: the search does not go on as it is written there",
                                   printable(options_.journal), *journal_->divergence()),
                       ErrorKind::Tool};
      return {};
    }
    if (failed > 0 && failed == result_.search.measured && !stopping_.asked_once()) {
      failure_ = Error{
          fmt::format("none of {} candidates could be measured: {}", failed, printable(why_failed)),
          ErrorKind::Tool};
    }
    result_.seconds["search"] = seconds_since(start);
    return pet.best();
  }

  Result<Accepted> try_to_accept(const Model& model, const std::vector<Plan>& plans,
                                 Backend& backend) {
    AcceptanceConfig config;
    config.max_rel_error = options_.max_rel_error;
    config.max_growth = options_.max_growth;
    config.comparing_seconds = 2 * budget_;
    config.seed = options_.seed;
    config.data = input_data_;
    config.threads = all_threads();
    config.read.dimensions = shapes_;
    config.load = load_options();
    config.tried = [&](const PlanTried& event) {
      if (journal_) journal_->write(event);
    };
    config.stage = [&](const std::string& stage) { progress_.show(stage); };
    config.metadata = {{"pet.version", PET_VERSION},
                       {"pet.source", model.digest.hex()},
                       {"pet.cpu", result_.target.device},
                       {"pet.runtime", result_.target.name + " " + result_.target.version},
                       {"pet.threads", std::to_string(result_.threads)}};
    accepting_ = true;
    const double whole = stopping_.asked_once() ? kSecondsAWholeWhenStopping : kSecondsAWhole;
    MeasuringProfiler among_plans(backend, measuring(whole));
    MeasuringProfiler::Options patient = measuring(whole);
    if (!stopping_.asked_once()) patient.least_rounds = kRoundsAWhole;
    MeasuringProfiler against_original(backend, patient);
    const FileProver prove = [&](const Model& a, const Model& b,
                                 double log2_error) -> Result<Verdict> {
      const auto start = Clock::now();
      FileProofOptions how;
      how.proof.log2_error = log2_error;
      how.proof.threads = all_threads();
      Deadline deadline(proof_budget_, stopping_.everything());
      how.proof.stop = deadline.token();
      how.proof.progress = [&](double done) {
        progress_.show(fmt::format("proving the written file, {:.0f} %", 100 * done));
      };
      how.proof.record_test = !certificate_path(options_).empty();
      Verdict verdict = prove_files(a, b, how);
      certify(a, b, verdict, how);
      result_.seconds["proof"] += seconds_since(start);
      if (stopping_.asked_twice()) return Error{"stopped", ErrorKind::Stopped};
      if (deadline.is_over() && verdict.outcome == Outcome::Unknown)
        verdict.reason = fmt::format("the proof took more than {:.0f} s", proof_budget_);
      return verdict;
    };
    auto accepted = accept(model, plans, fs::absolute(options_.out), config,
                           {prove, backend, among_plans, against_original}, stopping_.everything());
    progress_.clear();
    return accepted;
  }

  // The last file that is proved is the one that is written.
  void certify(const Model& original, const Model& written, const Verdict& verdict,
               const FileProofOptions& how) {
    if (certificate_path(options_).empty() || verdict.outcome != Outcome::Equivalent) return;
    result_.certificate =
        certificate_of(original, written, verdict, how,
                       {{"tool", "pet " PET_VERSION}, {"proof_seed", verdict.proof_seed}});
  }

  Status write_certificate() const {
    const std::string path = certificate_path(options_);
    if (path.empty() || !result_.certificate) return Done{};
    if (*result_.certificate) return write_text(path, **result_.certificate);
    if (!options_.certificate.empty()) return result_.certificate->error();
    say(fmt::format("pet: {}\n", result_.certificate->error().message));
    return Done{};
  }

  int tell() {
    const auto report = report_of(options_, result_);
    Status told = Done{};
    if (!options_.report.empty()) told = write_text(options_.report, readable(report));
    if (auto certified = write_certificate(); told && !certified) told = std::move(certified);
    if (options_.format == "json") {
      fmt::print("{}", one_line(report));
    } else {
      fmt::print("{}", summary_of(options_, result_));
    }
    if (result_.accepted.disagreement) {
      say(fmt::format(
          "pet: the search and the final proof disagree; the original was written. Please "
          "report this with {}\n",
          printable(options_.in)));
      return kDisagreement;
    }
    if (failure_) {
      failure_->message += "; the original was written";
      return fail(*failure_);
    }
    const std::string written = printable(options_.out) + " is written and whole";
    if (!told) return fail({told.error().message + "; " + written, ErrorKind::Tool});
    if (journal_ && !journal_->is_whole()) {
      return fail({fmt::format("the journal {} lacks its end, the disk may be full; {}",
                               printable(options_.journal), written),
                   ErrorKind::Tool});
    }
    return stopping_.asked_once() ? kStopped : kDone;
  }

  // What a Ctrl-C brings about. In the thread of `stopping_`.
  void announce(int count) const {
    const std::string erase = progress_.erasing();
    if (count >= 2) {
      say(fmt::format("{}pet: stopped; the original is written\n", erase));
    } else if (found_) {
      say(fmt::format(
          "{}pet: stopping; what was found so far ({:.3f} ms saved) is measured, proved and "
          "written: at most {:.0f} s and the proof. Ctrl-C again writes the original\n",
          erase, saved_ms_.load(), 2 * (accepting_ ? kSecondsAWhole : kSecondsAWholeWhenStopping)));
    } else {
      say(fmt::format(
          "{}pet: stopping; nothing faster was found so far, the original is written: less "
          "than 1 s left\n",
          erase));
    }
  }

  const OptimizeOptions options_;
  const std::optional<JournalContent> resumed_;
  std::map<std::string, Dim> shapes_;
  std::map<std::string, ValueRange> ranges_;
  std::vector<InputSet> input_data_;
  double budget_ = 120;
  double proof_budget_ = 600;
  std::size_t steps_ = SIZE_MAX;
  Progress progress_;
  OptimizeResult result_;
  std::optional<Journal> journal_;
  std::optional<Error> failure_;      // of a tool; the original is written all the same
  std::atomic<double> saved_ms_ = 0;  // by what the search has found so far
  std::atomic<bool> found_ = false;
  std::atomic<bool> accepting_ = false;
  Stopping stopping_{[this](int count) { announce(count); }};  // last: its thread uses the above
};

}  // namespace

Command add_optimize(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "optimize", "writes a faster ONNX file, proved equivalent; the original where there is none");
  auto options = std::make_shared<OptimizeOptions>();
  add_options(*command, *options);
  return [options, command] {
    if (options->resume.empty()) return Optimizer(*options, std::nullopt).run();
    auto journal = read_journal(options->resume);
    if (!journal) return fail(journal.error());
    auto before = options_of(journal->header, *options, command->count("--budget") > 0);
    return Optimizer(std::move(before), *std::move(journal)).run();
  };
}

}  // namespace pet::app
