#include "core/backend/measuring_profiler.h"

#include <algorithm>

#include "core/util/check.h"
#include "core/util/rng.h"

namespace pet {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Of a candidate that the first calls faster.
Comparison both(Comparison first, const Comparison& again, double alpha) {
  first.timing.a_ms.insert(first.timing.a_ms.end(), again.timing.a_ms.begin(),
                           again.timing.a_ms.end());
  first.timing.b_ms.insert(first.timing.b_ms.end(), again.timing.b_ms.begin(),
                           again.timing.b_ms.end());
  first.timing.clocks = together(first.timing.clocks, again.timing.clocks);
  first.ratio = paired_ratio(first.timing, alpha);
  if (again.decision != Decision::Faster) first.decision = Decision::Undecided;
  first.seconds += again.seconds;
  return first;
}

// Models that are unloaded in the end.
class Loaded {
 public:
  explicit Loaded(Backend& backend) : backend_(backend) {}
  ~Loaded() {
    for (const ModelId model : models_) backend_.unload(model);
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  Status add(const std::filesystem::path& file, const LoadOptions& options,
             const std::stop_token& stop) {
    const auto loaded = backend_.load(file, options, stop);
    if (!loaded) return loaded.error();
    models_.push_back(loaded->id);
    return Done{};
  }
  const std::vector<ModelId>& models() const { return models_; }

 private:
  Backend& backend_;
  std::vector<ModelId> models_;
};

// Whether the runtime can hold all of them beside the original. What it makes of a file may be
// larger than the file.
bool fit_together(std::span<const std::filesystem::path> candidates, std::uint64_t memory) {
  constexpr std::uintmax_t kTimesItsFile = 4;
  if (memory == 0 || candidates.size() == 1) return true;
  std::uintmax_t largest = 0;
  for (const std::filesystem::path& file : candidates) {
    std::error_code failed;
    const std::uintmax_t bytes = std::filesystem::file_size(file, failed);
    if (!failed) largest = std::max(largest, bytes);
  }
  return largest <= memory / (kTimesItsFile * (candidates.size() + 1));
}

}  // namespace

Result<Comparison> MeasuringProfiler::compare(const std::filesystem::path& original,
                                              const std::filesystem::path& candidate,
                                              std::stop_token stop) {
  auto first = compare_once(original, candidate, LoadedFirst::Original, stop);
  if (!first) return first;
  if (first->decision == Decision::Faster && options_.is_seen_twice) {
    const auto again = compare_once(original, candidate, LoadedFirst::Candidate, stop);
    if (!again) return again.error();
    first = both(*first, *again, options_.rule.alpha);
  }
  ++made_;
  return first;
}

Result<Comparison> MeasuringProfiler::compare_once(const std::filesystem::path& original,
                                                   const std::filesystem::path& candidate,
                                                   LoadedFirst which, const std::stop_token& stop) {
  const bool in_order = which == LoadedFirst::Original;
  Loaded loaded(backend_);
  for (const bool is_original : {in_order, !in_order}) {
    auto status = loaded.add(is_original ? original : candidate, options_.load, stop);
    if (!status) return std::move(status).error();
  }
  const ModelId one = loaded.models()[0], other = loaded.models()[1];
  return compare_loaded(in_order ? one : other, in_order ? other : one, stop);
}

PairPlan MeasuringProfiler::first_plan() {
  Rng rng(options_.seed + comparisons_++);
  return {.rounds = 1,
          .warmup = 1,
          .evict_mib = options_.evict_mib,
          .seed = rng.next() >> 1,
          .order_seed = rng.next() >> 1};
}

bool MeasuringProfiler::may_go_on(std::size_t rounds, std::size_t least, double spent_s) const {
  constexpr double kPatience = 3;
  const double budget = std::chrono::duration<double>(options_.budget).count();
  return rounds == 0 || spent_s < (rounds >= least ? budget : kPatience * budget);
}

// As many rounds as fit into a batch, by the time the last request took for one. The first run of a
// request finds the machine at something else. Of programs that run for long that is little, and a
// round to get over it would be half of the time.
void MeasuringProfiler::plan_next(PairPlan& plan, double took_s, std::size_t wanted) const {
  constexpr int kRoundsAWarmup = 4;
  const double batch = std::chrono::duration<double>(options_.batch).count();
  const double per_round = took_s / static_cast<double>(plan.rounds + plan.warmup);
  const double fitting = std::clamp(batch / std::max(per_round, 1e-6), 1.0, 1e6);
  plan.rounds = static_cast<int>(std::min(static_cast<double>(wanted), fitting));
  plan.warmup = plan.rounds >= kRoundsAWarmup ? 1 : 0;
  plan.order_seed = Rng(plan.order_seed).next() >> 1;
}

Result<Comparison> MeasuringProfiler::compare_loaded(ModelId original, ModelId candidate,
                                                     const std::stop_token& stop) {
  const auto started = Clock::now();
  PairPlan plan = first_plan();
  SequentialComparison sequence(options_.rule);
  while (!sequence.is_finished() &&
         may_go_on(sequence.timing().a_ms.size(), options_.least_rounds, seconds_since(started))) {
    const auto asked = Clock::now();
    const auto timing = backend_.time_pair(original, candidate, plan, stop);
    if (!timing) return timing.error();
    sequence.add(*timing);
    plan_next(plan, seconds_since(asked), sequence.rounds_wanted());
  }
  sequence.finish();
  return Comparison{.timing = sequence.timing(),
                    .ratio = paired_ratio(sequence.timing(), options_.rule.alpha),
                    .decision = sequence.decision(),
                    .seconds = seconds_since(started)};
}

Result<RaceResult> MeasuringProfiler::race(const std::filesystem::path& original,
                                           std::span<const std::filesystem::path> candidates,
                                           std::stop_token stop) {
  PET_CHECK(!candidates.empty(), "a race has somebody in it");
  if (fit_together(candidates, backend_.info().memory)) {
    auto together = race_together(original, candidates, stop);
    if (together || together.error().kind == ErrorKind::Stopped) return together;
  }
  Options each = options_;
  each.budget /= static_cast<std::int64_t>(candidates.size());
  return MeasuringProfiler(backend_, each).Profiler::race(original, candidates, stop);
}

Result<RaceResult> MeasuringProfiler::race_together(
    const std::filesystem::path& original, std::span<const std::filesystem::path> candidates,
    const std::stop_token& stop) {
  const auto started = Clock::now();
  Loaded loaded(backend_);
  if (auto status = loaded.add(original, options_.load, stop); !status)
    return std::move(status).error();
  RaceResult out;
  std::vector<std::size_t> candidate_of = {SIZE_MAX};  // by runner
  for (const std::filesystem::path& candidate : candidates) {
    auto status = loaded.add(candidate, options_.load, stop);
    if (!status && status.error().kind == ErrorKind::Tool)
      status = loaded.add(candidate, options_.load, stop);
    if (!status && status.error().kind == ErrorKind::Stopped) return std::move(status).error();
    if (status) candidate_of.push_back(out.against_original.size());
    out.against_original.push_back(status ? Result(Comparison{})
                                          : Result<Comparison>(std::move(status).error()));
  }
  Race race(candidate_of.size());
  if (auto status = run_race(loaded.models(), race, stop); !status)
    return std::move(status).error();
  out.seconds = seconds_since(started);
  for (const std::size_t runner : race.ranking()) {
    if (runner == 0) continue;
    const SequentialComparison& against = race.between(0, runner);
    out.ranking.push_back(candidate_of[runner]);
    out.against_original[candidate_of[runner]] =
        Comparison{.timing = against.timing(),
                   .ratio = paired_ratio(against.timing(), options_.rule.alpha),
                   .decision = against.decision(),
                   .seconds = out.seconds / static_cast<double>(candidates.size())};
  }
  return out;
}

Status MeasuringProfiler::run_race(std::span<const ModelId> runners, Race& race,
                                   const std::stop_token& stop) {
  const auto started = Clock::now();
  PairPlan plan = first_plan();
  std::size_t rounds = 0;
  while (!race.is_over() && may_go_on(rounds, kRaceRule.first_look, seconds_since(started))) {
    std::vector<ModelId> running;
    for (const std::size_t runner : race.running()) running.push_back(runners[runner]);
    const auto asked = Clock::now();
    auto timing = backend_.time_together(running, plan, stop);
    // A worker that dies once costs some seconds.
    if (!timing && timing.error().kind == ErrorKind::Tool)
      timing = backend_.time_together(running, plan, stop);
    if (!timing) return std::move(timing).error();
    race.add(*timing);
    rounds += timing->front().size();
    plan_next(plan, seconds_since(asked), race.rounds_wanted());
  }
  race.finish();
  return Done{};
}

}  // namespace pet
