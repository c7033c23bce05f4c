#include "core/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/backend/time_alone.h"
#include "core/onnx/export.h"
#include "core/onnx/input_ranges.h"
#include "core/search/rewriting.h"
#include "core/util/check.h"
#include "core/util/median.h"
#include "core/util/printable.h"

namespace pet {
namespace {

constexpr double kHurriedFiles = 20;  // seconds of comparing files, once somebody waits for the end
constexpr double kSecondsAlone = 1;   // of the original

}  // namespace

Run::Run(const Model& model, RunConfig config, RunPorts ports)
    : model_(model),
      config_(std::move(config)),
      ports_(std::move(ports)),
      started_s_(config_.started_s.value_or(ports_.now())),
      phase_started_s_(started_s_) {
  const bool accepts = !config_.target.empty();
  PET_CHECK(!accepts || (ports_.backend != nullptr && ports_.prove && ports_.profile_files),
            "a run that writes a file needs a runtime, a prover and a profiler of files");
}

Run::~Run() = default;

void Run::step(Grain grain) {
  switch (phase_) {
    case Phase::Prepare:
      return prepare();
    case Phase::Search:
      return search(grain);
    case Phase::Accept:
      return accept();
    case Phase::Done:
      return;
  }
}

void Run::hear(const Event& event) {
  if (const auto* failed = std::get_if<CandidateFailed>(&event)) {
    ++failed_;
    why_failed_ = failed->why;
  } else if (const auto* started = std::get_if<StageStarted>(&event)) {
    end_stage();
    stage_ = started->stage;
  }
  recorder_.add(event);
  ports_.events(event);
  if (ports_.journal != nullptr) ports_.journal->write(event);  // last: who reads it may act on it
}

// A stage lasts until the next one begins.
void Run::end_stage() {
  const double now = ports_.now();
  if (stage_) seconds_[std::string(short_name(*stage_))] += now - stage_started_s_;
  stage_.reset();
  stage_started_s_ = now;
}

// ---- Prepare

// Before anything else is measured: whatever comes of the search, the record has it, and a model
// that loads but does not run is known.
void Run::prepare() {
  if (ports_.backend != nullptr) {
    auto ranges = input_ranges(model_, config_.fill);
    if (ranges) {
      config_.load.ranges = *std::move(ranges);
      auto times = ports_.time_original
                       ? Result(ports_.time_original())
                       : time_alone(*ports_.backend, model_.path, config_.load, kSecondsAlone,
                                    config_.seed, ports_.stop.search());
      if (times) {
        original_ms_ = *std::move(times);
      } else if (times.error().kind == ErrorKind::Unsupported) {
        accepted_.reason = std::move(times).error().message;  // it refuses the original
      } else if (times.error().kind != ErrorKind::Stopped) {
        failure_ = std::move(times).error();
      }
    } else {
      failure_ = std::move(ranges).error().within(printable(model_.path.string()));
    }
  }
  seconds_["set-up"] = since_s(started_s_);
  if (failure_ || !accepted_.reason.empty()) return finish();
  begin_search();
}

// ---- Search

void Run::begin_search() {
  phase_ = Phase::Search;
  phase_started_s_ = ports_.now();
  parts_ = parts_of(config_.budget, since_s(started_s_), !config_.target.empty());
  search_ = ports_.make_search(
      model_, config_.target_name, config_.search,
      {ports_.checker, ports_.candidates, [this](const Event& event) { hear(event); },
       ports_.stop.search(), ports_.solver, ports_.costs});
}

// Of the budget: a resumed search has spent what it had spent before.
double Run::spent_s() const {
  const bool has_past = ports_.journal != nullptr && ports_.journal->is_resumed();
  return has_past ? ports_.journal->seconds() : since_s(phase_started_s_);
}

std::optional<StopReason> Run::why_over(StepStatus status) const {
  const bool diverged = ports_.journal != nullptr && ports_.journal->divergence();
  if (diverged) return StopReason::Stopped;
  if (config_.ending && search_->progress().pieces >= config_.ending->pieces)
    return config_.ending->reason;
  if (status == StepStatus::Finished) {
    if (search_->is_finished()) return StopReason::Finished;
    return ports_.stop.asked_once() ? StopReason::Stopped : StopReason::StepLimit;
  }
  const bool is_repeating = ports_.journal != nullptr && ports_.journal->is_repeating();
  if (!config_.ending && !is_repeating && budget_left_s() <= 0) return StopReason::Budget;
  return std::nullopt;
}

void Run::search(Grain grain) {
  const bool has_ended = config_.ending && search_->progress().pieces >= config_.ending->pieces;
  if (has_ended) return end_search(config_.ending->reason);
  if (const auto after = why_over(search_->step(grain))) end_search(*after);
}

void Run::end_search(StopReason reason) {
  search_->finish(reason);
  seconds_["search"] = since_s(phase_started_s_);
  const std::size_t measured = recorder_.effort().measured;
  if (ports_.journal != nullptr && ports_.journal->divergence()) {
    failure_ = Error{fmt::format("{}: the search does not go on as it is written there",
                                 *ports_.journal->divergence()),
                     ErrorKind::Tool};
  } else if (failed_ > 0 && failed_ == measured && !ports_.stop.asked_once()) {
    failure_ = Error{
        fmt::format("none of {} candidates could be measured: {}", failed_, printable(why_failed_)),
        ErrorKind::Tool};
  }
  if (failure_ || config_.target.empty()) return finish();
  begin_accepting();
}

// ---- Accept

void Run::begin_accepting() {
  phase_ = Phase::Accept;
  phase_started_s_ = ports_.now();
  AcceptanceConfig config;
  config.max_rel_error = config_.max_rel_error;
  config.max_growth = config_.max_growth;
  config.comparing_seconds = files_after_search(config_.budget, since_s(started_s_));
  if (ports_.stop.asked_once())
    config.comparing_seconds = std::min(config.comparing_seconds, kHurriedFiles);
  if (!original_ms_.empty()) config.seconds_a_run = median(original_ms_) / 1000;
  config.seed = config_.seed;
  config.data = config_.data;
  config.fill = config_.fill;
  config.threads = config_.threads;
  config.read.dimensions = config_.load.dimensions;
  config.load = config_.load;
  config.measures_only = config_.measures_only;
  config.metadata = provenance(model_, config_.tool, ports_.backend->info(), config_.load.threads);
  acceptance_ = std::make_unique<Acceptance>(
      model_, search_->best(), config_.target, std::move(config),
      Judges{ports_.prove, *ports_.backend,
             [this](const FileEffort& effort) -> Profiler& {
               files_profiler_ = ports_.profile_files(config_.load, effort);
               return *files_profiler_;
             }},
      [this](const Event& event) { hear(event); }, ports_.stop.everything());
}

void Run::accept() {
  const auto status = acceptance_->step();
  if (status && *status == StepStatus::Running) return;
  end_stage();
  seconds_["accept"] = since_s(phase_started_s_);
  if (status) {
    accepted_ = acceptance_->take();
  } else if (status.error().kind == ErrorKind::Stopped) {
    accepted_.reason = "stopped before the proof was finished";
  } else {
    failure_ = status.error();
  }
  finish();
}

// ---- Done

void Run::finish() {
  phase_ = Phase::Done;
  acceptance_.reset();
  if (failure_ && accepted_.chosen.empty()) accepted_.reason = failure_->message;
  is_written_ = !config_.target.empty() && !config_.measures_only;
  if (is_written_ && accepted_.chosen.empty()) {
    if (auto status = write_model(model_, config_.target); !status) {
      failure_ = std::move(status).error();
      is_written_ = false;
    }
  }
  seconds_["total"] = since_s(started_s_);
}

namespace {

std::optional<FileTimes> times_of(const std::vector<double>& ms) {
  if (ms.empty()) return std::nullopt;
  std::vector<double> sorted = ms;
  std::ranges::sort(sorted);
  return FileTimes{sorted[sorted.size() / 2], sorted.front(), sorted.size()};
}

// What was written unchanged takes as long as the original: it is the original, byte for byte.
void add_outcome(const Accepted& a, const std::vector<double>& original_ms, RunRecord& out) {
  out.changed = !a.chosen.empty();
  out.reason = a.reason;
  out.attempts = static_cast<std::size_t>(a.attempts);
  const Comparison* c = out.changed && a.comparison ? &*a.comparison : nullptr;
  out.original_times = times_of(c != nullptr ? c->timing.a_ms : original_ms);
  out.optimized_times = times_of(c != nullptr ? c->timing.b_ms : original_ms);
  out.speedup = c != nullptr ? speedup_of(c->ratio) : Speedup{1, 1, 1};
  for (const Rejected& attempt : a.rejected) {
    out.rejected.push_back({attempt.choices, attempt.reason, std::nullopt});
    if (attempt.ratio) out.rejected.back().ratio = speedup_of(*attempt.ratio);
    out.rejected.back().promised_ms = attempt.promised_ms;
  }
  out.trust.verdict = Outcome::Equivalent;
  out.trust.left = a.left;
  if (a.numeric)
    out.trust.numeric = {a.numeric->max_abs, a.numeric->max_rel, a.numeric->max_rel_of_channel};
  if (a.verdict) out.trust.proof_seed = a.verdict->proof_seed;
  if (!out.changed) return;
  out.promised_ms = a.promised_ms;
  out.bytes_optimized = a.bytes;
  out.trust.verdict = a.verdict->outcome;
  // -infinity: identical files, nothing was left to chance.
  if (!std::isinf(a.verdict->log2_error)) out.trust.log2_error = a.verdict->log2_error;
  out.trust.primes = a.verdict->primes;
  out.trust.weight_programs = a.verdict->weight_programs;
  out.trust.growth = a.verdict->growth;
  if (a.written) out.operators_after = operator_counts(*a.written);
}

}  // namespace

RunRecord Run::record() const {
  RunRecord out;
  out.model = model_.path.filename().string();
  out.original = model_.path.string();
  out.optimized = config_.target.string();
  if (ports_.backend != nullptr) {
    const BackendInfo& runtime = ports_.backend->info();
    out.target = {runtime.name, runtime.version, runtime.device,
                  static_cast<std::size_t>(std::max(0, config_.load.threads))};
  }
  std::error_code ignored;
  out.bytes_original = out.bytes_optimized = std::filesystem::file_size(model_.path, ignored);
  add_outcome(accepted_, original_ms_, out);
  for (const ModelInput& input : model_.inputs)
    out.trust.proved_at[input.name] = to_string(input.type);
  if (out.changed) out.trust.fixed = model_.dimensions;
  out.operators_before = operator_counts(model_.graph);
  out.limits = {parts_.search_s, config_.max_rel_error, config_.max_growth};
  out.subprograms = recorder_.subprograms();
  out.places = places_of(model_.graph, accepted_.chosen, recorder_);
  out.effort = recorder_.effort();
  out.seconds = seconds_;
  out.seed = config_.seed;
  return out;
}

}  // namespace pet
