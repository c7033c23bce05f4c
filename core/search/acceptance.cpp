#include "core/search/acceptance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/backend/replay_profiler.h"
#include "core/onnx/inventory.h"
#include "core/search/rewriting.h"
#include "core/util/check.h"
#include "core/util/median.h"
#include "core/util/temporary_file.h"

namespace pet {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostAttempts = 4;
// Of the time for comparing files that is left: all plans with one another, the best one before its
// proof. What is written is measured for as long as there is time.
constexpr double kAmongPlans = 0.4, kBeforeProof = 0.4, kAfterProof = 1;

PlanTried told(const Plan& plan, const Accepted& out) {
  PlanTried event;
  event.saved_ms = plan.saved_ms;
  event.accepted = out.reason.empty();
  event.reason = out.reason;
  for (const Choice& choice : plan.choices)
    event.parts.push_back({choice.subprogram, choice.place, choice.mutant.id});
  if (!out.comparison) return event;
  event.ratio = out.comparison->ratio;
  event.original_ms = median(out.comparison->timing.a_ms);
  event.optimized_ms = median(out.comparison->timing.b_ms);
  return event;
}

}  // namespace

struct Acceptance::Contender {
  std::size_t plan = 0;
  std::unique_ptr<TemporaryFile> file;
  std::vector<LeftConstant> left;

  const fs::path& path() const { return file->path(); }
};

std::map<std::string, std::string> provenance(const Model& original, const std::string& tool) {
  return {{"pet.version", tool}, {"pet.source", original.digest.hex()}};
}

std::map<std::string, std::string> provenance(const Model& original, const std::string& tool,
                                              const BackendInfo& runtime, int threads) {
  auto out = provenance(original, tool);
  out["pet.cpu"] = runtime.device;
  out["pet.runtime"] = runtime.name + " " + runtime.version;
  out["pet.threads"] = std::to_string(threads);
  return out;
}

Acceptance::Acceptance(const Model& original, std::vector<Plan> plans, fs::path target,
                       AcceptanceConfig config, Judges judges, EventSink sink, std::stop_token stop)
    : original_(original),
      plans_(std::move(plans)),
      target_(std::move(target)),
      config_(std::move(config)),
      judges_(std::move(judges)),
      sink_(std::move(sink)),
      stop_(std::move(stop)) {
  if (plans_.size() > kMostAttempts) plans_.resize(kMostAttempts);
  out_.reason = "nothing faster was found";
}

Acceptance::~Acceptance() = default;

const Acceptance::Contender& Acceptance::contender() const { return contenders_[current_]; }

Result<StepStatus> Acceptance::step() {
  PET_CHECK(next_ != Next::End, "nothing is left to be accepted");
  if (auto status = advance(); !status) return std::move(status).error();
  if (next_ != Next::End) return StepStatus::Running;
  if (unmeasured_ && !has_measured_) return *std::move(unmeasured_);
  return StepStatus::Finished;
}

Status Acceptance::advance() {
  switch (next_) {
    case Next::Write:
      return write();
    case Next::Compare:
      return compare_files();
    case Next::Open:
      return open();
    case Next::Measure:
      return measure(Stage::MeasuringFile, kBeforeProof,
                     config_.measures_only ? Next::MeasureAgain : Next::Prove, "as a whole");
    case Next::Prove:
      return prove();
    case Next::CompareNumbers:
      return compare_numbers();
    case Next::MeasureAgain:
      return measure(Stage::MeasuringAgain, kAfterProof,
                     config_.measures_only ? Next::Leave : Next::Place, "on fresh samples");
    case Next::Leave:
      leave_unproved();
      break;
    case Next::Place:
      return place();
    case Next::End:
      break;
  }
  return Done{};
}

// ---- every plan becomes a file

Status Acceptance::write() {
  if (plan_ == plans_.size()) {
    next_ = contenders_.size() > 1 ? Next::Compare : Next::Open;
    if (contenders_.empty()) next_ = Next::End;
    return Done{};
  }
  const std::size_t plan = plan_++;
  begin(Stage::Weights, plan);
  auto rewriting = rewriting_of(original_.graph, plans_[plan], config_.threads, stop_);
  if (!rewriting) {
    if (rewriting.error().kind == ErrorKind::Stopped) return std::move(rewriting).error();
    Accepted refused;
    refused.reason = rewriting.error().message;
    out_.reason = refused.reason;
    reject(plan, refused);
    return Done{};
  }
  for (AppliedPass& pass : rewriting->applied) sink_(PassApplied{plan, std::move(pass)});
  Contender made{plan, std::make_unique<TemporaryFile>(target_), std::move(rewriting->left)};
  auto metadata = config_.metadata;
  metadata.merge(rewriting->metadata);
  auto written = write_rewritten(original_, rewriting->replacements, metadata, made.path());
  if (written) contenders_.push_back(std::move(made));
  return written;
}

// ---- the fastest of them comes first: what places save one by one does not say what they save
// together

Status Acceptance::compare_files() {
  const double share = kAmongPlans / static_cast<double>(contenders_.size() - rival_ + 1);
  // Where too few rounds fit the one comes first that promised the most.
  const bool is_worth_it = seconds_for(share) >= seconds_needed(false);
  if (rival_ < contenders_.size() && !is_time_over() && is_worth_it) {
    begin(Stage::MeasuringFiles, contenders_[rival_].plan);
    const auto comparison = compare(judges_.profile_files(seconds_for(share), false),
                                    contenders_[fastest_].path(), contenders_[rival_].path());
    if (!comparison && comparison.error().kind == ErrorKind::Stopped) return comparison.error();
    if (comparison && comparison->decision == Decision::Faster) fastest_ = rival_;
    ++rival_;
    return Done{};
  }
  put_fastest_first();
  next_ = Next::Open;
  return Done{};
}

double Acceptance::seconds_needed(bool is_seen_twice) const {
  constexpr double kRounds = 16;  // the first look, what warms up before it, and what runs slower
  return (is_seen_twice ? 2 : 1) * kRounds * config_.seconds_a_round;
}

double Acceptance::seconds_for(double share) const {
  constexpr double kLeast = 2;
  return std::max(kLeast, share * (config_.comparing_seconds - seconds_compared_));
}

void Acceptance::put_fastest_first() {
  const auto it = contenders_.begin() + static_cast<std::ptrdiff_t>(fastest_);
  std::rotate(contenders_.begin(), it, it + 1);
}

// A worker that dies once costs some seconds, not what the search has found.
Result<Comparison> Acceptance::compare(Profiler& profiler, const fs::path& original,
                                       const fs::path& file) {
  auto comparison = profiler.compare(original, file, stop_);
  if (!comparison && comparison.error().kind == ErrorKind::Tool)
    comparison = profiler.compare(original, file, stop_);
  if (comparison) seconds_compared_ += comparison->seconds;
  return comparison;
}

// ---- one after another is tried

Status Acceptance::open() {
  if (current_ == contenders_.size()) {
    next_ = Next::End;
    return Done{};
  }
  if (out_.attempts > 0 && is_time_over()) {
    Accepted untried;
    untried.reason =
        fmt::format("not tried: whole files were compared for {:.0f} s before", seconds_compared_);
    reject(contender().plan, untried);
    ++current_;
    return Done{};
  }
  ++out_.attempts;
  out_.reason.clear();
  out_.verdict.reset();
  out_.numeric.reset();
  out_.comparison.reset();
  out_.written.reset();
  auto changed = read_model(contender().path(), config_.read);
  if (!changed) return std::move(changed).error();
  changed_ = *std::move(changed);
  out_.bytes = stored_bytes(*changed_);
  const std::uintmax_t original_bytes = stored_bytes(original_);
  next_ = Next::Measure;
  if (!(static_cast<double>(out_.bytes) <=
        config_.max_growth * static_cast<double>(original_bytes))) {
    out_.reason =
        fmt::format("the file would grow from {} to {} bytes", original_bytes, out_.bytes);
    reject_contender();
  }
  return Done{};
}

// Against the original. What a runtime makes of one plan (it may refuse a file that is right, or
// die of it) is no reason to give up the others.
Status Acceptance::measure(Stage stage, double share, Next then, const std::string& not_faster) {
  begin(stage, contender().plan);
  // Before the proof one look is enough, and it need not decide: what is written is measured again.
  const bool is_last = stage == Stage::MeasuringAgain;
  const double seconds = std::max(seconds_for(share), seconds_needed(is_last));
  auto comparison =
      compare(judges_.profile_files(seconds, is_last), original_.path, contender().path());
  if (was_stopped(comparison)) return std::move(comparison).error();
  next_ = then;
  if (!comparison) {
    unmeasured_ = comparison.error();
    out_.reason = fmt::format("not measured: {}", unmeasured_->message);
    reject_contender();
    return Done{};
  }
  has_measured_ = true;
  const auto files = compared_files(original_.path, contender().path());
  if (!files) return files.error();
  sink_(FileMeasured{contender().plan, *files, *comparison});
  out_.comparison = *std::move(comparison);
  const Ratio& ratio = out_.comparison->ratio;
  const bool is_promising =
      !is_last && out_.comparison->decision == Decision::Undecided && ratio.median > 1;
  if (out_.comparison->decision != Decision::Faster && !is_promising) {
    out_.reason = fmt::format("not faster {}: {} ({:.3f}x, at least {:.3f}x)", not_faster,
                              to_string(out_.comparison->decision), ratio.median, ratio.low);
    reject_contender();
  }
  return Done{};
}

Status Acceptance::prove() {
  begin(Stage::Proving, contender().plan);
  out_.written = changed_->graph;
  // Every attempt has its own chance of a false "equal".
  auto verdict = judges_.prove(original_, *changed_,
                               config_.log2_error - std::log2(static_cast<double>(kMostAttempts)));
  if (!verdict) return std::move(verdict).error();
  verdict->log2_error += std::log2(out_.attempts);
  sink_(FileProved{contender().plan, verdict->outcome, verdict->reason, verdict->log2_error,
                   verdict->primes, verdict->growth});
  next_ = Next::CompareNumbers;
  out_.verdict = *verdict;
  if (verdict->outcome == Outcome::Equivalent) return Done{};
  out_.reason = fmt::format("not proved: {} ({})", to_string(verdict->outcome), verdict->reason);
  out_.disagreement =
      verdict->outcome == Outcome::Different || verdict->outcome == Outcome::Partial;
  reject_contender();
  return Done{};
}

Status Acceptance::compare_numbers() {
  begin(Stage::ComparingNumbers, contender().plan);
  const auto numeric =
      numeric_difference(original_, contender().path(), config_, judges_.backend, stop_);
  next_ = Next::MeasureAgain;
  if (!numeric) {
    if (numeric.error().kind == ErrorKind::Stopped) return numeric.error();
    out_.reason = numeric.error().message;
    reject_contender();
    return Done{};
  }
  sink_(NumbersCompared{contender().plan, numeric->max_abs, numeric->max_rel,
                        numeric->max_rel_of_channel});
  out_.numeric = *numeric;
  if (!(numeric->max_rel <= config_.max_rel_error)) {
    out_.reason =
        fmt::format("the outputs differ by {:.2g} of their largest value, more than {:.2g}",
                    numeric->max_rel, config_.max_rel_error);
    reject_contender();
  }
  return Done{};
}

void Acceptance::leave_unproved() {
  const Ratio& ratio = out_.comparison->ratio;
  out_.reason = fmt::format("{:.3f}x as fast as a whole, at least {:.3f}x; measured, not proved",
                            ratio.median, ratio.low);
  reject(contender().plan, out_);
  next_ = Next::End;
}

// What is put in place is what was proved, whatever has happened to the file meanwhile.
Status Acceptance::place() {
  if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  const auto now = read_model(contender().path(), config_.read);
  if (!now || now->digest != changed_->digest)
    return Error{
        fmt::format("{}: the file was changed while it was in use", contender().path().string()),
        ErrorKind::Tool};
  if (auto placed = contender().file->put_in_place(); !placed) return placed;
  tell(contender().plan, out_);
  out_.chosen = plans_[contender().plan].choices;
  out_.left = contender().left;
  next_ = Next::End;
  return Done{};
}

void Acceptance::tell(std::size_t plan, const Accepted& how) { sink_(told(plans_[plan], how)); }

void Acceptance::reject(std::size_t plan, const Accepted& how) {
  tell(plan, how);
  out_.rejected.push_back({plans_[plan].choices.size(), how.reason,
                           how.comparison ? std::optional(how.comparison->ratio) : std::nullopt});
}

// The next one is tried, unless the proof says that something is wrong with this program.
void Acceptance::reject_contender() {
  reject(contender().plan, out_);
  ++current_;
  next_ = out_.disagreement ? Next::End : Next::Open;
}

}  // namespace pet
