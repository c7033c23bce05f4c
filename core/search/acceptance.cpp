#include "core/search/acceptance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/onnx/inventory.h"
#include "core/search/rewriting.h"
#include "core/util/median.h"
#include "core/util/rng.h"

namespace pet {
namespace {

namespace fs = std::filesystem;

// Removes the file unless it was renamed. No other run has one of that name: in containers, or on
// disks that several machines share, process numbers are not told apart.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target)
      : path_(target.parent_path() /
              fmt::format(".pet-{}.tmp.onnx", fresh_entropy().hex().substr(0, 32))) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

constexpr std::size_t kMostAttempts = 4;

PlanTried told(const Plan& plan, const Accepted& out) {
  PlanTried event;
  event.saved_ms = plan.saved_ms;
  event.accepted = out.reason.empty();
  event.reason = out.reason;
  for (const Choice& choice : plan.choices)
    event.parts.push_back({choice.subprogram, choice.place, choice.how});
  if (!out.comparison) return event;
  event.ratio = out.comparison->ratio;
  event.original_ms = median(out.comparison->timing.a_ms);
  event.optimized_ms = median(out.comparison->timing.b_ms);
  return event;
}

// A plan and its file.
struct Contender {
  const Plan* plan = nullptr;
  std::unique_ptr<TemporaryFile> file;
  std::vector<LeftConstant> left;
};

class Acceptance {
 public:
  Acceptance(const Model& original, const AcceptanceConfig& config, const Judges& judges,
             const std::stop_token& stop)
      : original_(original), config_(config), judges_(judges), stop_(stop) {}

  Result<Accepted> run(const std::vector<Plan>& plans, const fs::path& target);

 private:
  // Both leave `out_.reason` empty if the file is good.
  Status write(const Plan& plan, const fs::path& path);
  Status attempt(const fs::path& file);

  Result<Comparison> compare(Profiler& profiler, const fs::path& original, const fs::path& file);
  // Against the original. A file that cannot be measured has that as its reason.
  Status measure(const fs::path& file);
  bool is_time_over() const { return seconds_compared_ > config_.comparing_seconds; }
  Status bring_fastest_forward(std::vector<Contender>& contenders);
  void reject(const Plan& plan, const Accepted& how);

  const Model& original_;
  const AcceptanceConfig& config_;
  const Judges& judges_;
  const std::stop_token& stop_;
  Accepted out_;
  Digest proved_;  // of the file that was looked at last
  double seconds_compared_ = 0;
  bool has_measured_ = false;
  std::optional<Error> unmeasured_;  // why a file could not be measured, the last one
};

// A worker that dies once costs some seconds, not what the search has found.
Result<Comparison> Acceptance::compare(Profiler& profiler, const fs::path& original,
                                       const fs::path& file) {
  auto comparison = profiler.compare(original, file, stop_);
  if (!comparison && comparison.error().kind == ErrorKind::Tool)
    comparison = profiler.compare(original, file, stop_);
  if (comparison) seconds_compared_ += comparison->seconds;
  return comparison;
}

// What a runtime makes of one plan (it may refuse a file that is right, or die of it) is no reason
// to give up the others.
Status Acceptance::measure(const fs::path& file) {
  auto comparison = compare(judges_.against_original, original_.path, file);
  if (was_stopped(comparison)) return std::move(comparison).error();
  if (comparison) {
    has_measured_ = true;
    out_.comparison = *std::move(comparison);
  } else {
    unmeasured_ = comparison.error();
    out_.reason = fmt::format("not measured: {}", unmeasured_->message);
  }
  return Done{};
}

Status Acceptance::write(const Plan& plan, const fs::path& path) {
  out_.reason.clear();
  config_.stage("computing weights ahead of time");
  auto rewriting = rewriting_of(original_.graph, plan, config_.threads, stop_);
  if (!rewriting) {
    if (rewriting.error().kind == ErrorKind::Stopped) return std::move(rewriting).error();
    out_.reason = rewriting.error().message;
    return Done{};
  }
  out_.left = std::move(rewriting->left);
  auto metadata = config_.metadata;
  metadata.merge(rewriting->metadata);
  return write_rewritten(original_, rewriting->replacements, metadata, path);
}

Status Acceptance::attempt(const fs::path& file) {
  ++out_.attempts;
  out_.reason.clear();
  out_.verdict.reset();
  out_.numeric.reset();
  out_.comparison.reset();
  out_.written.reset();
  const auto changed = read_model(file, config_.read);
  if (!changed) return changed.error();
  out_.bytes = stored_bytes(*changed);
  const std::uintmax_t original_bytes = stored_bytes(original_);
  if (!(static_cast<double>(out_.bytes) <=
        config_.max_growth * static_cast<double>(original_bytes))) {
    out_.reason =
        fmt::format("the file would grow from {} to {} bytes", original_bytes, out_.bytes);
    return Done{};
  }
  config_.stage("measuring the whole file");
  if (auto status = measure(file); !status || !out_.reason.empty()) return status;
  if (out_.comparison->decision != Decision::Faster) {
    const Ratio& ratio = out_.comparison->ratio;
    out_.reason = fmt::format("not faster as a whole: {} ({:.3f}x, at least {:.3f}x)",
                              to_string(out_.comparison->decision), ratio.median, ratio.low);
    return Done{};
  }
  config_.stage("proving the written file");
  out_.written = changed->graph;
  proved_ = changed->digest;
  // Every attempt has its own chance of a false "equal".
  auto verdict = judges_.prove(original_, *changed,
                               config_.log2_error - std::log2(static_cast<double>(kMostAttempts)));
  if (!verdict) return std::move(verdict).error();
  verdict->log2_error += std::log2(out_.attempts);
  out_.verdict = *verdict;
  if (verdict->outcome != Outcome::Equivalent) {
    out_.reason = fmt::format("not proved: {} ({})", to_string(verdict->outcome), verdict->reason);
    out_.disagreement =
        verdict->outcome == Outcome::Different || verdict->outcome == Outcome::Partial;
    return Done{};
  }
  config_.stage("running both files on random inputs");
  const auto numeric = numeric_difference(original_, file, config_, judges_.backend, stop_);
  if (!numeric) {
    if (numeric.error().kind == ErrorKind::Stopped) return numeric.error();
    out_.reason = numeric.error().message;
    return Done{};
  }
  out_.numeric = *numeric;
  if (!(numeric->max_rel <= config_.max_rel_error)) {
    out_.reason =
        fmt::format("the outputs differ by {:.2g} of their largest value, more than {:.2g}",
                    numeric->max_rel, config_.max_rel_error);
    return Done{};
  }
  config_.stage("measuring on fresh samples");
  if (auto status = measure(file); !status || !out_.reason.empty()) return status;
  if (out_.comparison->decision != Decision::Faster)
    out_.reason =
        fmt::format("not faster on fresh samples: {}", to_string(out_.comparison->decision));
  return Done{};
}

// Brings the file to the front that is faster than those before it: what places save one by one
// does not say what they save together.
Status Acceptance::bring_fastest_forward(std::vector<Contender>& contenders) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < contenders.size() && !is_time_over(); ++i) {
    const auto comparison =
        compare(judges_.among_plans, contenders[best].file->path(), contenders[i].file->path());
    if (!comparison && comparison.error().kind == ErrorKind::Stopped) return comparison.error();
    if (comparison && comparison->decision == Decision::Faster) best = i;
  }
  const auto it = contenders.begin() + static_cast<std::ptrdiff_t>(best);
  std::rotate(contenders.begin(), it, it + 1);
  return Done{};
}

void Acceptance::reject(const Plan& plan, const Accepted& how) {
  config_.tried(told(plan, how));
  out_.rejected.push_back({plan.choices.size(), how.reason,
                           how.comparison ? std::optional(how.comparison->ratio) : std::nullopt});
}

Result<Accepted> Acceptance::run(const std::vector<Plan>& plans, const fs::path& target) {
  out_.reason = "nothing faster was found";
  std::vector<Contender> contenders;
  for (std::size_t i = 0; i < std::min(plans.size(), kMostAttempts); ++i) {
    Contender contender{&plans[i], std::make_unique<TemporaryFile>(target), {}};
    if (auto status = write(plans[i], contender.file->path()); !status)
      return std::move(status).error();
    if (out_.reason.empty()) {
      contender.left = std::move(out_.left);
      contenders.push_back(std::move(contender));
    } else {
      reject(plans[i], out_);
    }
  }
  config_.stage("measuring whole files");
  if (auto status = bring_fastest_forward(contenders); !status) return std::move(status).error();
  for (const Contender& contender : contenders) {
    if (out_.attempts > 0 && is_time_over()) {
      Accepted untried;
      untried.reason = fmt::format("not tried: whole files were compared for {:.0f} s before",
                                   seconds_compared_);
      reject(*contender.plan, untried);
      continue;
    }
    if (auto status = attempt(contender.file->path()); !status) return std::move(status).error();
    if (!out_.reason.empty()) {
      reject(*contender.plan, out_);
      if (out_.disagreement) break;
      continue;
    }
    // What is put in place is what was proved, whatever has happened to the file meanwhile.
    const auto now = read_model(contender.file->path(), config_.read);
    if (!now || now->digest != proved_)
      return Error{fmt::format("{}: the file was changed while it was in use",
                               contender.file->path().string()),
                   ErrorKind::Tool};
    std::error_code failed;
    fs::rename(contender.file->path(), target, failed);
    if (failed)
      return Error{fmt::format("cannot write {}: {}", target.string(), failed.message()),
                   ErrorKind::Tool};
    config_.tried(told(*contender.plan, out_));
    out_.chosen = contender.plan->choices;
    out_.left = contender.left;
    break;
  }
  if (unmeasured_ && !has_measured_) return *std::move(unmeasured_);
  return std::move(out_);
}

}  // namespace

Result<Accepted> accept(const Model& original, const std::vector<Plan>& plans,
                        const fs::path& target, const AcceptanceConfig& config,
                        const Judges& judges, const std::stop_token& stop) {
  return Acceptance(original, config, judges, stop).run(plans, target);
}

}  // namespace pet
