// Over 400 lines: one way from plans to a file in its place, stage by stage, each of which may send
// it on to the next plan.
#include "core/search/acceptance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/backend/replay_profiler.h"
#include "core/onnx/inventory.h"
#include "core/search/promise.h"
#include "core/search/rewriting.h"
#include "core/util/check.h"
#include "core/util/median.h"
#include "core/util/temporary_file.h"

namespace pet {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostAttempts = 4;
// Of the time for comparing files that is left: a look at the only plan, or at the one that
// promises most and then a race with others. A gain that is small is seen on the samples that come
// after the proof, for as long as there is time.
constexpr double kAlone = 0.3, kShare = 0.2, kAfterProof = 1;
// Rounds of a race up to its first look, and of two comparisons, with what they begin with.
constexpr std::size_t kRoundsOfRace = 8, kRoundsAfterProof = 28;

std::string not_faster(const std::string& where, const Comparison& comparison) {
  return fmt::format("not faster {}: {} ({:.3f}x, at least {:.3f}x)", where,
                     to_string(comparison.decision), comparison.ratio.median, comparison.ratio.low);
}

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
  std::optional<Result<Comparison>> look = {};  // at it beside the original, the last one
  std::string digest = {};                      // of the file, once it was measured

  bool promises() const { return !look || (*look && is_promising(**look)); }
  const fs::path& path() const { return file->path(); }
};

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
  if (!plans_.empty()) to_write_ = {0};
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
    case Next::Race:
      return race();
    case Next::Open:
      return open();
    case Next::Prove:
      return prove();
    case Next::CompareNumbers:
      return compare_numbers();
    case Next::MeasureAgain:
      return measure_again();
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

// ---- plans become files

Status Acceptance::write() {
  if (to_write_.empty()) {
    next_ = Next::Race;
    return Done{};
  }
  const std::size_t plan = to_write_.front();
  to_write_.erase(to_write_.begin());
  begin(Stage::Weights, plan);
  auto rewriting = rewriting_of(original_.graph, plans_[plan], config_.threads, stop_, &folded_);
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

// ---- which of them is fastest: what places save one by one does not say what they save together

Status Acceptance::race() {
  if (auto raced = run_race(); !raced) return raced;
  if (!others_were_taken_) take_others();
  next_ = to_write_.empty() ? Next::Open : Next::Write;
  return Done{};
}

Status Acceptance::run_race() {
  std::vector<std::size_t> runners;  // contenders
  std::vector<fs::path> files;
  for (std::size_t i = 0; i < contenders_.size(); ++i) {
    if (!contenders_[i].promises()) continue;
    runners.push_back(i);
    files.push_back(contenders_[i].path());
  }
  if (runners.empty()) return Done{};
  const bool is_alone = runners.size() == 1;
  // Where others may be measured yet, the first is looked at to know which.
  const double share = is_alone && (others_were_taken_ || plans_.size() == 1) ? kAlone : kShare;
  begin(is_alone ? Stage::MeasuringFile : Stage::MeasuringFiles, contenders_[runners[0]].plan);
  const auto run_by = static_cast<double>(runners.size() + 1);
  const double seconds = seconds_for(share, kRoundsOfRace, run_by * config_.seconds_a_run);
  const auto raced = profiler(seconds, false, runners.size()).race(original_.path, files, stop_);
  if (!raced && raced.error().kind == ErrorKind::Stopped) return raced.error();
  for (std::size_t i = 0; i < runners.size(); ++i)
    contenders_[runners[i]].look = raced ? raced->against_original[i] : raced.error();
  if (!raced) return Done{};
  seconds_compared_ += raced->seconds;
  // Recordings are asked in this order again: it is the ranking (ReplayProfiler).
  std::vector<Contender> ranked;
  for (const std::size_t i : raced->ranking) {
    ranked.push_back(std::move(contenders_[runners[i]]));
    if (auto told = tell_measured(ranked.back(), **ranked.back().look); !told) return told;
  }
  for (Contender& other : contenders_)
    if (other.file != nullptr) ranked.push_back(std::move(other));
  contenders_ = std::move(ranked);
  return Done{};
}

// Files that are still the same are digested once.
Status Acceptance::tell_measured(Contender& contender, const Comparison& comparison) {
  for (auto [path, digest] : {std::pair(&original_.path, &original_file_),
                              std::pair(&contender.path(), &contender.digest)}) {
    if (!digest->empty()) continue;
    auto made = compared_file(*path);
    if (!made) return std::move(made).error();
    *digest = *std::move(made);
  }
  sink_(FileMeasured{contender.plan, {original_file_, contender.digest}, comparison});
  return Done{};
}

// Once the plan that promises most has been measured: those that are worth a file.
void Acceptance::take_others() {
  others_were_taken_ = true;
  std::optional<Kept> first;
  if (!contenders_.empty() && contenders_[0].promises())
    first = Kept{plans_[contenders_[0].plan].saved_ms, saved_ms(**contenders_[0].look)};
  std::vector<std::size_t> others;
  for (std::size_t plan = 1; plan < plans_.size(); ++plan) {
    const double promised = plans_[plan].saved_ms;
    if (!first || may_beat(promised, *first)) {
      others.push_back(plan);
    } else {
      leave_out(plan, fmt::format("not tried: it promises to save {:.3f} ms, and another file "
                                  "saves {:.3f} ms",
                                  promised, first->saved_ms));
    }
  }
  if (there_is_time_for(others.size())) {
    to_write_ = std::move(others);
    return;
  }
  for (const std::size_t plan : others) leave_out(plan, too_late());
}

// For a race of them with what there is, where there is something; else it is worth the time.
bool Acceptance::there_is_time_for(std::size_t others) const {
  if (others == 0 || contenders_.empty() || !contenders_[0].promises()) return !is_time_over();
  const auto run_by = static_cast<double>(others + 2);
  return seconds_left() >= static_cast<double>(kRoundsOfRace) * run_by * config_.seconds_a_run;
}

double Acceptance::seconds_for(double share, std::size_t rounds, double seconds_a_round) const {
  constexpr double kLeast = 2;
  return std::max({kLeast, share * seconds_left(), static_cast<double>(rounds) * seconds_a_round});
}

std::string Acceptance::too_late() const {
  return fmt::format("not tried: whole files were compared for {:.0f} s before", seconds_compared_);
}

Profiler& Acceptance::profiler(double seconds, bool is_seen_twice, std::size_t candidates) {
  return judges_.profile_files({seconds, comparisons_++, is_seen_twice, candidates});
}

// ---- one after another is tried

// What a runtime makes of one plan (it may refuse a file that is right, or die of it) is no reason
// to give up the others.
Status Acceptance::open() {
  folded_.clear();  // all files are there
  if (current_ == contenders_.size()) {
    next_ = Next::End;
    return Done{};
  }
  ++out_.attempts;
  out_.reason.clear();
  out_.verdict.reset();
  out_.numeric.reset();
  out_.comparison.reset();
  out_.written.reset();
  const Result<Comparison>& look = *contender().look;
  if (!look) {
    unmeasured_ = look.error();
    out_.reason = fmt::format("not measured: {}", unmeasured_->message);
    reject_contender();
    return Done{};
  }
  has_measured_ = true;
  out_.comparison = *look;
  if (!is_promising(*look)) {
    out_.reason = not_faster("as a whole", *look);
  } else if (was_one_tried_ && is_time_over()) {
    out_.reason = too_late();
  }
  if (!out_.reason.empty()) {
    reject_contender();
    return Done{};
  }
  was_one_tried_ = true;
  auto changed = read_model(contender().path(), config_.read);
  if (!changed) return std::move(changed).error();
  changed_ = *std::move(changed);
  out_.bytes = stored_bytes(*changed_);
  const std::uintmax_t original_bytes = stored_bytes(original_);
  next_ = config_.measures_only ? Next::MeasureAgain : Next::Prove;
  if (!(static_cast<double>(out_.bytes) <=
        config_.max_growth * static_cast<double>(original_bytes))) {
    out_.reason =
        fmt::format("the file would grow from {} to {} bytes", original_bytes, out_.bytes);
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

// On samples that no choice was made by.
Status Acceptance::measure_again() {
  begin(Stage::MeasuringAgain, contender().plan);
  const Comparison& look = **contender().look;
  const double seconds_a_round = (median(look.timing.a_ms) + median(look.timing.b_ms)) / 1000;
  Profiler& fresh = profiler(seconds_for(kAfterProof, kRoundsAfterProof, seconds_a_round), true, 1);
  auto comparison = fresh.compare(original_.path, contender().path(), stop_);
  // A worker that dies once costs some seconds, not what the search has found.
  if (!comparison && comparison.error().kind == ErrorKind::Tool)
    comparison = fresh.compare(original_.path, contender().path(), stop_);
  if (was_stopped(comparison)) return std::move(comparison).error();
  next_ = config_.measures_only ? Next::Leave : Next::Place;
  if (!comparison) {
    out_.comparison.reset();
    out_.reason = fmt::format("not measured: {}", comparison.error().message);
    reject_contender();
    return Done{};
  }
  seconds_compared_ += comparison->seconds;
  if (auto told = tell_measured(contenders_[current_], *comparison); !told) return told;
  out_.comparison = *std::move(comparison);
  if (out_.comparison->decision != Decision::Faster) {
    out_.reason = not_faster("on fresh samples", *out_.comparison);
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
  const auto now = digest_of_model(contender().path());
  if (!now || *now != changed_->digest)
    return Error{
        fmt::format("{}: the file was changed while it was in use", contender().path().string()),
        ErrorKind::Tool};
  if (auto placed = contender().file->put_in_place(); !placed) return placed;
  tell(contender().plan, out_);
  out_.chosen = plans_[contender().plan].choices;
  out_.promised_ms = plans_[contender().plan].saved_ms;
  out_.left = contender().left;
  next_ = Next::End;
  return Done{};
}

void Acceptance::tell(std::size_t plan, const Accepted& how) { sink_(told(plans_[plan], how)); }

void Acceptance::leave_out(std::size_t plan, std::string reason) {
  Accepted untried;
  untried.reason = std::move(reason);
  reject(plan, untried);
}

void Acceptance::reject(std::size_t plan, const Accepted& how) {
  tell(plan, how);
  out_.rejected.push_back({plans_[plan].choices.size(), how.reason,
                           how.comparison ? std::optional(how.comparison->ratio) : std::nullopt,
                           plans_[plan].saved_ms});
}

// The next one is tried, unless the proof says that something is wrong with this program.
void Acceptance::reject_contender() {
  reject(contender().plan, out_);
  ++current_;
  next_ = out_.disagreement ? Next::End : Next::Open;
}

}  // namespace pet
