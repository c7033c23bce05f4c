// Flags, files and signals around a run (core/run): what is asked is checked, the run is driven
// with its progress shown, and what came of it is told. Over 400 lines: one command, from what is
// asked for to what is told at the end.
#include "app/pet/optimize.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>

#include "app/common/file_prover.h"
#include "app/common/files.h"
#include "app/common/fill_flags.h"
#include "app/common/json_text.h"
#include "app/common/machine.h"
#include "app/common/profiled_target.h"
#include "app/common/progress.h"
#include "app/pet/commands.h"
#include "app/pet/machine_file.h"
#include "app/pet/operator_measuring.h"
#include "app/pet/optimize_paths.h"
#include "app/pet/resuming.h"
#include "app/pet/rule_choice.h"
#include "app/pet/stopping.h"
#include "core/backend/cached_profiler.h"
#include "core/backend/highs.h"
#include "core/backend/measuring_profiler.h"
#include "core/run/record_json.h"
#include "core/run/replay.h"
#include "core/run/run.h"
#include "core/search/make_search.h"
#include "core/search/recorded_costs.h"
#include "core/search/recorded_solver.h"
#include "core/util/overloaded.h"
#include "core/util/printable.h"
#include "verify/pairs/search_checker.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;

// What the flags say, checked.
struct Asked {
  ReadOptions shapes;
  std::map<std::string, ValueRange> fill;
  Budget budget;
  double proof_budget_s = 600;
  std::size_t steps = SIZE_MAX;
  int threads = 1;
};

Result<Asked> asked_by(const OptimizeOptions& options) {
  Asked out;
  auto shapes = parse_shapes(options.shapes);
  if (!shapes) return std::move(shapes).error();
  out.shapes = *std::move(shapes);
  auto fill = parse_fill(options.fill);
  if (!fill) return std::move(fill).error();
  out.fill = *std::move(fill);
  auto budget = parse_seconds(options.budget);
  if (!budget) return std::move(budget).error().within("--budget");
  out.budget.whole_s = *budget;
  if (!options.search_budget.empty()) {
    const auto search = parse_seconds(options.search_budget);
    if (!search) return Error(search.error()).within("--search-budget");
    out.budget.search_s = *search;
  }
  auto proof_budget = parse_seconds(options.proof_budget);
  if (!proof_budget) return std::move(proof_budget).error().within("--proof-budget");
  out.proof_budget_s = *proof_budget;
  if (!options.ilp_budget.empty()) {
    if (auto given = parse_seconds(options.ilp_budget); !given)
      return std::move(given).error().within("--ilp-budget");
  }
  auto steps = parse_steps(options.limits);
  if (!steps) return std::move(steps).error();
  out.steps = *steps;
  out.threads = options.threads > 0 ? options.threads : static_cast<int>(all_threads());
  if (auto paths = check_paths(options); !paths) return std::move(paths).error();
  return out;
}

Result<Model> model_asked_for(const OptimizeOptions& options, const Asked& asked) {
  const auto path = at_opset("pet", options.in, options.shapes.opset);
  if (!path) return path.error();
  auto model = read_model(*path, asked.shapes);
  if (!model) return model;
  const std::array<const Model*, 1> alone = {&*model};
  if (auto known = check_shapes(asked.shapes, alone); !known) return std::move(known).error();
  if (auto right = check_fill(asked.fill, alone); !right) return std::move(right).error();
  if (auto kept = keep_what_is_read(*model, options); !kept) return std::move(kept).error();
  warn_of_stale("pet", *model);
  return model;
}

// Says what a run is at. Its numbers are read by the thread that hears of signals, too.
class Narrator {
 public:
  void hear(const Event& event) {
    std::visit(
        overloaded{[&](const SubprogramFound& e) {
                     working_ = fmt::format("{}", fmt::join(e.operators, ", "));
                   },
                   [&](const BestImproved&) { found_ = true; },
                   [&](const StageStarted& e) {
                     accepting_ = true;
                     progress_.show(to_string(e.stage));
                   },
                   [&](const StateTaken& e) { working_ = fmt::format("program {}", e.state); },
                   [&](const OperatorMeasured& e) { working_ = e.what; },
                   [&](const RuleApplied& e) { working_ = e.rule; },
                   [&](const ActionChosen& e) { working_ = e.rule; },
                   [&](const RuleRefused& e) {
                     const bool is_wrong = e.outcome == Outcome::Partial ||
                                           e.outcome == Outcome::Different ||
                                           e.outcome == Outcome::ShapeMismatch;
                     if (is_wrong) refused_.push_back(e);
                   },
                   [](const auto&) {}},
        event);
  }
  const std::vector<RuleRefused>& refused() const { return refused_; }
  void look_at(const Run& run) {
    constexpr double kSecondsAProgress = 0.1;
    const SearchProgress at = run.progress();
    saved_ms_ = at.saved_ms;
    const double now = steady_seconds();
    if (run.phase() != Run::Phase::Search || now < shown_ + kSecondsAProgress) return;
    shown_ = now;
    files_s_ = run.parts().files_s;
    progress_.show(fmt::format(
        "search {}/{} ({}), {:.3f} ms saved so far, {:.0f} s left; then files are compared for "
        "{:.0f} s, and the proof about {:.0f} s",
        at.done, at.subprograms, working_, at.saved_ms, run.budget_left_s(), run.parts().files_s,
        run.parts().proof_s));
  }
  void show(const std::string& what) const { progress_.show(what); }
  void clear() const { progress_.clear(); }

  // What a Ctrl-C brings about.
  void announce(int count) const {
    constexpr double kSeconds = 20;  // of comparing whole files, once somebody waits
    const std::string erase = progress_.erasing();
    if (count >= 2) {
      say(fmt::format("{}pet: stopped; the original is written\n", erase));
    } else if (found_) {
      say(fmt::format(
          "{}pet: stopping; what was found so far ({:.3f} ms saved) is measured, proved and "
          "written: at most {:.0f} s and the proof. Ctrl-C again writes the original\n",
          erase, saved_ms_.load(), accepting_ ? files_s_.load() : kSeconds));
    } else {
      say(fmt::format(
          "{}pet: stopping; nothing faster was found so far, the original is written: less "
          "than 1 s left\n",
          erase));
    }
  }

 private:
  Progress progress_;
  std::string working_ = "reading";
  std::vector<RuleRefused> refused_;
  double shown_ = 0;
  std::atomic<double> saved_ms_ = 0;  // by what the search has found so far
  std::atomic<bool> found_ = false;
  std::atomic<bool> accepting_ = false;
  std::atomic<double> files_s_ = 0;  // of comparing whole files, as planned
};

// For who wants one of its own. A recording is used up as it is asked, by whoever asks.
class Borrowed final : public Profiler {
 public:
  explicit Borrowed(Profiler& inner) : inner_(inner) {}
  Result<Comparison> compare(const fs::path& original, const fs::path& candidate,
                             std::stop_token stop) override {
    return inner_.compare(original, candidate, std::move(stop));
  }
  Result<RaceResult> race(const fs::path& original, std::span<const fs::path> candidates,
                          std::stop_token stop) override {
    return inner_.race(original, candidates, std::move(stop));
  }

 private:
  Profiler& inner_;
};

class Optimizer {
 public:
  Optimizer(OptimizeOptions options, std::optional<JournalContent> resumed)
      : options_(std::move(options)), resumed_(std::move(resumed)) {}

  int run() {
    auto asked = asked_by(options_);
    if (!asked) return fail(asked.error());
    asked_ = *std::move(asked);
    auto model = model_asked_for(options_, asked_);
    if (!model) return fail(model.error());
    dimensions_ = model->dimensions;
    auto data = input_data(*model);
    if (!data) return fail(data.error());
    auto target = start();
    if (!target) return fail(target.error());
    // What the runtime refuses is written as it is, and the run says so; a runtime that fails ends
    // it.
    auto refusal =
        refusal_of(target->backend(), model->path, load_options(), stopping_.everything());
    if (!refusal) return fail(refusal.error());
    if (auto status = choose_search(*model, *target); !status) return fail(status.error());
    if (auto status = open_journal(*model, *target); !status) return fail(status.error());
    return drive(*model, *target, *std::move(data));
  }

 private:
  // Whatever was measured to its end is proved and written anywhere.
  bool is_measured() const {
    return resumed_ && recorded_ending(*resumed_) && !recorded_file_comparisons(*resumed_).empty();
  }

  Result<ProfiledTarget> start() {
    if (!is_measured())
      return ProfiledTarget::start(options_.target, options_.profile, stopping_.everything());
    const JournalHeader& header = resumed_->header;
    return ProfiledTarget::start_after(
        options_.target,
        {.name = header.runtime, .version = header.version, .device = header.device, .threads = 0},
        stopping_.everything());
  }

  Result<std::vector<InputSet>> input_data(const Model& model) const {
    if (options_.input_data.empty()) return std::vector<InputSet>();
    auto data = read_input_data(model, options_.input_data);
    if (!data) return std::move(data).error().within("--input-data");
    return data;
  }

  LoadOptions load_options() const {
    return {.threads = asked_.threads, .dimensions = dimensions_};
  }

  MeasuringProfiler::Options measuring(const LoadOptions& load, double seconds) const {
    MeasuringProfiler::Options plan{.load = load};
    plan.seed = options_.seed;
    plan.budget = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    return plan;
  }

  double planned_search_s() const { return parts_of(asked_.budget, 0, true).search_s; }

  // Some forty candidates ought to be measured. Where there is little time each is seen once, and
  // only the whole files twice; but what profiles hold was seen twice.
  MeasuringProfiler::Options candidates_measured(double search_s) const {
    constexpr double kCandidates = 40, kLeast = 0.5, kMost = 4, kTimeForTwice = 300;
    auto out = measuring(load_options(), std::clamp(search_s / kCandidates, kLeast, kMost));
    out.is_seen_twice = search_s >= kTimeForTwice || !options_.profile.empty();
    return out;
  }

  // Where the search keeps what it measured, unless a profile does; the whole file is measured
  // afresh whatever is there.
  std::optional<fs::path> measurements() const {
    if (options_.cache == "off" || !options_.profile.empty()) return std::nullopt;
    if (!options_.cache.empty()) return fs::path(options_.cache);
    return default_measurements();
  }

  // Of operators, as `operator_measuring` has it.
  std::string operators_file() const {
    const bool is_file = !options_.cache.empty() && options_.cache != "off";
    return options_.cache + (is_file ? ".operators" : "");
  }

  Status choose_search(const Model& model, const ProfiledTarget& target) {
    if (resumed_) {
      search_ = resumed_->header.config;
    } else if (options_.search == "pet") {
      SearchConfig config = config_of(options_, asked_.steps);
      if (!options_.machine.empty()) {
        auto machine = read_machine(options_.machine, target.backend().info());
        if (!machine) return std::move(machine).error();
        config.machine = *std::move(machine);
      }
      search_ = std::move(config);
    } else {
      auto rules = choose_rules(options_.rules, model.graph, verifying());
      if (!rules) return std::move(rules).error();
      auto config = config_of(options_, *std::move(rules));
      if (!config) return std::move(config).error();
      search_ = *std::move(config);
    }
    auto made = search_of(search_);
    if (!made) return std::move(made).error();
    make_search_ = *std::move(made);
    return Done{};
  }

  rules::Verifying verifying() {
    rules::Verifying out{.memory = remembered_rules(),
                         .program = this_program(),
                         .threads = all_threads(),
                         .stop = stopping_.search()};
    if (options_.cache == "off") out.memory.reset();
    out.progress = [this](std::size_t done, std::size_t all) {
      narrator_.show(fmt::format("verifying rules, {} of {}", done, all));
    };
    return out;
  }

  Status open_journal(const Model& model, const ProfiledTarget& target) {
    if (options_.journal.empty()) return Done{};
    const BackendInfo runtime = target.backend().info();
    if (resumed_) {
      if (auto same = check_resumable(*resumed_, model, runtime); !same) return same;
    }
    auto made = resumed_ ? Journal::resume(options_.journal, *resumed_)
                         : Journal::create(options_.journal,
                                           header_of(options_, search_, model, runtime,
                                                     asked_.threads, asked_.budget.whole_s));
    if (!made) return std::move(made).error();
    journal_ = *std::move(made);
    return Done{};
  }

  RunConfig run_config(std::vector<InputSet> data, const ProfiledTarget& target) const {
    return {.target = fs::absolute(options_.measure_only ? options_.journal : options_.out),
            .target_name = target.backend().info().name,
            .tool = PET_VERSION,
            .search = search_,
            .budget = asked_.budget,
            .ending = target.has_device() ? std::nullopt : ending(),
            .load = load_options(),
            .max_rel_error = options_.max_rel_error,
            .max_growth = options_.max_growth,
            .data = std::move(data),
            .fill = asked_.fill,
            .seed = options_.seed,
            .threads = all_threads(),
            .started_s = started_s_,
            .measures_only = options_.measure_only};
  }

  std::optional<Ending> ending() const {
    return resumed_ ? recorded_ending(*resumed_) : std::nullopt;
  }

  std::vector<double> recorded_times_of_original() const {
    std::vector<double> out;
    for (const RecordedComparison& one : recorded_file_comparisons(*resumed_))
      out.insert(out.end(), one.answer->timing.a_ms.begin(), one.answer->timing.a_ms.end());
    return out;
  }

  // Search, measurements, proof and files, step by step.
  int drive(const Model& model, const ProfiledTarget& target, std::vector<InputSet> data) {
    constexpr double kComparisons = 2;  // a gain is seen twice (MeasuringProfiler)
    // Windows have inputs of their own: nothing is known of their ranges.
    const auto plan = candidates_measured(planned_search_s());
    auto measuring_candidates = std::make_unique<MeasuringProfiler>(target.backend(), plan);
    MeasuringProfiler& measured = *measuring_candidates;
    const bool is_elsewhere = !target.has_device() && !target.has_profile();
    const auto live =
        is_elsewhere ? std::make_unique<ReplayProfiler>(std::vector<RecordedComparison>(), nullptr)
                     : target.through_profile(std::move(measuring_candidates), plan);
    std::optional<CachedProfiler> cached;
    if (const auto file = measurements())
      cached.emplace(*live, *file,
                     measuring_context(target.backend().info(), plan, target.command()));
    ReplayProfiler candidates(
        resumed_ ? recorded_comparisons(*resumed_) : std::vector<RecordedComparison>(),
        cached ? static_cast<Profiler*>(&*cached) : live.get());
    SearchChecker checker;
    CertifyingProver prover({.budget_s = asked_.proof_budget_s,
                             .certifies = !certificate_path(options_).empty(),
                             .progress =
                                 [this](std::string_view what, double done) {
                                   narrator_.show("proving the written file: " +
                                                  how_far(what, done));
                                 },
                             .stop = stopping_.everything()});
    RunPorts ports{checker, candidates, stopping_.requests()};
    ports.events = [this](const Event& event) { narrator_.hear(event); };
    ports.journal = journal_ ? &*journal_ : nullptr;
    ports.make_search = make_search_;
    Highs live_solver;
    ReplayedSolver solver(resumed_ ? recorded_answers(*resumed_) : std::vector<SolverAnswered>(),
                          &live_solver);
    ports.solver = &solver;
    const auto estimates = estimated_costs(all_threads());
    MeasuredCosts operators(
        target.has_device() ? &target.backend() : nullptr, *estimates,
        operator_measuring(model, target.backend().info(), target.command(), load_options(),
                           operators_file(), stopping_.search()));
    ReplayedCosts costs(resumed_ ? recorded_operators(*resumed_) : std::vector<OperatorMeasured>(),
                        &operators, all_threads());
    ports.costs = &costs;
    ports.backend = &target.backend();
    ports.prove = [&](const Model& a, const Model& b, double error) {
      return prover.prove(a, b, error);
    };
    ReplayProfiler recorded_files(
        is_elsewhere ? recorded_file_comparisons(*resumed_) : std::vector<RecordedComparison>(),
        nullptr);
    ports.profile_files = [&](const LoadOptions& load,
                              const FileEffort& effort) -> std::unique_ptr<Profiler> {
      if (is_elsewhere) return std::make_unique<Borrowed>(recorded_files);
      // A profile holds comparisons of two files, each seen twice.
      const bool is_seen_twice = effort.is_seen_twice || target.has_profile();
      const auto files = static_cast<double>(target.has_profile() ? effort.candidates : 1);
      auto whole = measuring(load, effort.seconds / files / (is_seen_twice ? kComparisons : 1));
      whole.is_seen_twice = is_seen_twice;
      whole.seed += effort.draw << 32;
      return target.through_profile(std::make_unique<MeasuringProfiler>(target.backend(), whole),
                                    whole);
    };
    if (!target.has_device())
      ports.time_original = [&] {
        return is_elsewhere ? recorded_times_of_original() : target.times_of(model);
      };
    Run run(model, run_config(std::move(data), target), std::move(ports));
    narrator_.show("measuring the original");
    while (run.phase() != Run::Phase::Done) {
      run.step();
      narrator_.look_at(run);
    }
    narrator_.clear();
    if (run.is_written() && run.accepted().chosen.empty()) prover.certify_copy(model);
    RunRecord record = run.record();
    complete_ = target.complete();
    record.effort.made = measured.made();
    record.effort.reused =
        candidates.replayed() + (cached ? cached->reused() : 0) + target.answered();
    return tell(run, prover, std::move(record));
  }

  Status write_certificate(const CertifyingProver& prover) const {
    const std::string path = certificate_path(options_);
    const auto& certificate = prover.certificate();
    if (path.empty() || !certificate) return Done{};
    if (*certificate) return write_text(path, **certificate);
    if (!options_.certificate.empty()) return certificate->error();
    say(fmt::format("pet: {}\n", certificate->error().message));
    return Done{};
  }

  int tell(const Run& run, const CertifyingProver& prover, RunRecord record) const {
    if (!run.is_written() && !options_.measure_only) return fail(*run.failure());
    record.original = options_.in;
    record.optimized = options_.out;
    record.peak_rss_mib = peak_rss_mib();
    if (prover.certificate() && *prover.certificate())
      record.trust.certificate = certificate_path(options_);
    const auto report = to_json(record);
    Status told = Done{};
    if (!options_.report.empty()) told = write_text(options_.report, readable(report));
    if (auto certified = write_certificate(prover); told && !certified) told = std::move(certified);
    fmt::print("{}", options_.format == "json" ? one_line(report) : summary_of(record));
    return exit_code(run, told);
  }

  // Rules that had been found right and were not, at shapes that the search met.
  bool tell_refused() const {
    for (const RuleRefused& refused : narrator_.refused()) {
      say(
          fmt::format("pet: rule {} was found right, and at {} it is {} ({}); please report this "
                      "with {}\n",
                      printable(refused.rule), printable(refused.place), to_string(refused.outcome),
                      printable(refused.why), printable(options_.in)));
    }
    return !narrator_.refused().empty();
  }

  int exit_code(const Run& run, const Status& told) const {
    if (tell_refused()) return kDisagreement;
    if (run.accepted().disagreement) {
      say(fmt::format(
          "pet: the search and the final proof disagree; the original was written. Please "
          "report this with {}\n",
          printable(options_.in)));
      return kDisagreement;
    }
    if (run.failure()) {
      Error failure = complete_ ? *run.failure() : complete_.error();
      if (journal_ && journal_->divergence())
        failure.message = fmt::format("{}, {}", printable(options_.journal), failure.message);
      if (run.is_written()) failure.message += "; the original was written";
      return fail(failure);
    }
    const std::string written = options_.measure_only
                                    ? "nothing was to be written"
                                    : printable(options_.out) + " is written and whole";
    if (!told) return fail({told.error().message + "; " + written, ErrorKind::Tool});
    if (!complete_) return fail({complete_.error().message + "; " + written, ErrorKind::Tool});
    if (journal_ && !journal_->is_whole()) {
      return fail({fmt::format("the journal {} lacks its end, the disk may be full; {}",
                               printable(options_.journal), written),
                   ErrorKind::Tool});
    }
    return stopping_.asked_once() ? kStopped : kDone;
  }

  const double started_s_ = steady_seconds();
  const OptimizeOptions options_;
  const std::optional<JournalContent> resumed_;
  Asked asked_;
  std::map<std::string, Dim> dimensions_;  // that the file leaves open
  Status complete_ = Done{};               // were all times there that were asked for?
  Narrator narrator_;
  std::optional<Journal> journal_;
  AnySearchConfig search_;
  SearchFactory make_search_;
  // Last: its thread uses the narrator.
  Stopping stopping_{[this](int count) { narrator_.announce(count); }};
};

}  // namespace

Command add_optimize(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "optimize", "writes a faster ONNX file, proved equivalent; the original where there is none");
  auto options = std::make_shared<OptimizeOptions>();
  add_options(*command, *options);
  return [options, command] {
    if (auto flags = check_flags_of_search(*command, *options); !flags) return fail(flags.error());
    if (auto written = check_written(*options); !written) return fail(written.error());
    if (options->resume.empty()) return Optimizer(*options, std::nullopt).run();
    auto journal = read_journal(options->resume);
    if (!journal) return fail(journal.error());
    auto before = options_of(journal->header, *options, command->count("--budget") > 0);
    return Optimizer(std::move(before), *std::move(journal)).run();
  };
}

}  // namespace pet::app
