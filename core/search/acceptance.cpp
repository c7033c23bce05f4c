#include "core/search/acceptance.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/search/rewriting.h"
#include "core/util/median.h"

namespace pet {
namespace {

namespace fs = std::filesystem;

// Removes the file unless it was renamed.
class TemporaryFile {
 public:
  TemporaryFile(const fs::path& target, std::size_t number)
      : path_(target.parent_path() / fmt::format(".pet-{}-{}.tmp.onnx", ::getpid(), number)) {}
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

// A worker that dies once costs some seconds, not what the search has found.
Result<Comparison> compare_whole(Profiler& profiler, const fs::path& original, const fs::path& file,
                                 const std::stop_token& stop) {
  auto comparison = profiler.compare(original, file, stop);
  if (comparison || comparison.error().kind != ErrorKind::Tool) return comparison;
  return profiler.compare(original, file, stop);
}

// One attempt. `reason` is left empty if the file is good.
Status attempt(const Model& original, const fs::path& file, const AcceptanceConfig& config,
               const FileProver& prove, Backend& backend, Profiler& profiler,
               const std::function<void(const std::string&)>& stage, const std::stop_token& stop,
               Accepted& out) {
  out.verdict.reset();
  out.numeric.reset();
  out.comparison.reset();
  out.written.reset();
  std::error_code size_error;
  out.bytes = fs::file_size(file, size_error);
  const auto original_bytes = fs::file_size(original.path, size_error);
  if (!(static_cast<double>(out.bytes) <=
        config.max_growth * static_cast<double>(original_bytes))) {
    out.reason = fmt::format("the file would grow from {} to {} bytes", original_bytes, out.bytes);
    return Done{};
  }
  stage("measuring the whole file");
  auto comparison = compare_whole(profiler, original.path, file, stop);
  if (!comparison) return std::move(comparison).error();
  out.comparison = *comparison;
  if (comparison->decision != Decision::Faster) {
    out.reason = fmt::format("not faster as a whole: {} ({:.3f}x, at least {:.3f}x)",
                             to_string(comparison->decision), comparison->ratio.median,
                             comparison->ratio.low);
    return Done{};
  }
  stage("proving the written file");
  const auto changed = read_model(file, config.read);
  if (!changed) return changed.error();
  out.written = changed->graph;
  // Every attempt has its own chance of a false "equal".
  auto verdict =
      prove(original, *changed, config.log2_error - std::log2(static_cast<double>(kMostAttempts)));
  if (!verdict) return std::move(verdict).error();
  verdict->log2_error += std::log2(out.attempts);
  out.verdict = *verdict;
  if (verdict->outcome != Outcome::Equivalent) {
    out.reason = fmt::format("not proved: {} ({})", to_string(verdict->outcome), verdict->reason);
    out.disagreement =
        verdict->outcome == Outcome::Different || verdict->outcome == Outcome::Partial;
    return Done{};
  }
  stage("running both files on random inputs");
  const auto numeric = numeric_difference(original, file, config, backend, stop);
  if (!numeric) {
    if (numeric.error().kind == ErrorKind::Stopped) return numeric.error();
    out.reason = numeric.error().message;
    return Done{};
  }
  out.numeric = *numeric;
  if (!(numeric->max_rel <= config.max_rel_error)) {
    out.reason =
        fmt::format("the outputs differ by {:.2g} of their largest value, more than {:.2g}",
                    numeric->max_rel, config.max_rel_error);
    return Done{};
  }
  stage("measuring on fresh samples");
  comparison = compare_whole(profiler, original.path, file, stop);
  if (!comparison) return std::move(comparison).error();
  out.comparison = *comparison;
  if (comparison->decision != Decision::Faster)
    out.reason = fmt::format("not faster on fresh samples: {}", to_string(comparison->decision));
  return Done{};
}

// `reason` is left empty if there is a file.
Status write_plan(const Model& original, const Plan& plan, const AcceptanceConfig& config,
                  const fs::path& path, const std::function<void(const std::string&)>& stage,
                  const std::stop_token& stop, Accepted& out) {
  stage("computing weights ahead of time");
  auto rewriting = rewriting_of(original.graph, plan, config.threads, stop);
  if (!rewriting) {
    if (rewriting.error().kind == ErrorKind::Stopped) return std::move(rewriting).error();
    out.reason = rewriting.error().message;
    return Done{};
  }
  out.left = std::move(rewriting->left);
  auto metadata = config.metadata;
  metadata.merge(rewriting->metadata);
  return write_rewritten(original, rewriting->replacements, metadata, path);
}

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

// Brings the file to the front that is faster than those before it: what places save one by one
// does not say what they save together.
Status bring_fastest_forward(std::vector<Contender>& contenders, Profiler& profiler,
                             const std::stop_token& stop) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < contenders.size(); ++i) {
    const auto comparison =
        compare_whole(profiler, contenders[best].file->path(), contenders[i].file->path(), stop);
    if (!comparison && comparison.error().kind == ErrorKind::Stopped) return comparison.error();
    if (comparison && comparison->decision == Decision::Faster) best = i;
  }
  const auto it = contenders.begin() + static_cast<std::ptrdiff_t>(best);
  std::rotate(contenders.begin(), it, it + 1);
  return Done{};
}

void reject(const Plan& plan, const AcceptanceConfig& config, Accepted& out) {
  config.tried(told(plan, out));
  out.rejected.push_back({plan.choices.size(), out.reason,
                          out.comparison ? std::optional(out.comparison->ratio) : std::nullopt});
}

}  // namespace

Result<Accepted> accept(const Model& original, const std::vector<Plan>& plans,
                        const fs::path& target, const AcceptanceConfig& config,
                        const FileProver& prove, Backend& backend,
                        const WholeFileProfilers& profilers,
                        const std::function<void(const std::string&)>& stage,
                        std::stop_token stop) {
  Accepted out;
  out.reason = "nothing faster was found";
  std::vector<Contender> contenders;
  for (std::size_t i = 0; i < std::min(plans.size(), kMostAttempts); ++i) {
    Contender contender{&plans[i], std::make_unique<TemporaryFile>(target, i), {}};
    out.reason.clear();
    auto status = write_plan(original, plans[i], config, contender.file->path(), stage, stop, out);
    if (!status) return std::move(status).error();
    if (out.reason.empty()) {
      contender.left = std::move(out.left);
      contenders.push_back(std::move(contender));
    } else {
      reject(plans[i], config, out);
    }
  }
  stage("measuring whole files");
  if (auto status = bring_fastest_forward(contenders, profilers.among_plans, stop); !status)
    return std::move(status).error();
  for (const Contender& contender : contenders) {
    ++out.attempts;
    out.reason.clear();
    auto status = attempt(original, contender.file->path(), config, prove, backend,
                          profilers.against_original, stage, stop, out);
    if (!status) return std::move(status).error();
    if (!out.reason.empty()) {
      reject(*contender.plan, config, out);
      if (out.disagreement) return out;
      continue;
    }
    std::error_code failed;
    fs::rename(contender.file->path(), target, failed);
    if (failed)
      return Error{fmt::format("cannot write {}: {}", target.string(), failed.message()),
                   ErrorKind::Tool};
    config.tried(told(*contender.plan, out));
    out.chosen = contender.plan->choices;
    out.left = contender.left;
    return out;
  }
  return out;
}

}  // namespace pet
