#include "core/backend/measuring_profiler.h"

#include <algorithm>

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
  const auto one = backend_.load(in_order ? original : candidate, options_.load, stop);
  if (!one) return one.error();
  const auto other = backend_.load(in_order ? candidate : original, options_.load, stop);
  if (!other) {
    backend_.unload(one->id);
    return other.error();
  }
  auto comparison =
      compare_loaded(in_order ? one->id : other->id, in_order ? other->id : one->id, stop);
  backend_.unload(one->id);
  backend_.unload(other->id);
  return comparison;
}

Result<Comparison> MeasuringProfiler::compare_loaded(ModelId original, ModelId candidate,
                                                     const std::stop_token& stop) {
  const auto started = Clock::now();
  const double budget = std::chrono::duration<double>(options_.budget).count();
  const double batch = std::chrono::duration<double>(options_.batch).count();
  Rng rng(options_.seed + comparisons_++);
  PairPlan plan{.rounds = 1,
                .warmup = 2,
                .evict_mib = options_.evict_mib,
                .seed = rng.next() >> 1,
                .order_seed = 0};
  SequentialComparison sequence(options_.rule);
  // Each request is as many rounds as fit into a batch, by the time the last one took a round.
  constexpr double kPatience = 3;
  const auto may_go_on = [&] {
    const std::size_t rounds = sequence.timing().a_ms.size();
    const bool enough = rounds >= options_.least_rounds;
    return rounds == 0 || seconds_since(started) < (enough ? budget : kPatience * budget);
  };
  while (!sequence.is_finished() && may_go_on()) {
    plan.order_seed = rng.next() >> 1;
    const auto asked = Clock::now();
    const auto timing = backend_.time_pair(original, candidate, plan, stop);
    if (!timing) return timing.error();
    sequence.add(*timing);
    const double per_round = seconds_since(asked) / static_cast<double>(plan.rounds + plan.warmup);
    const double fitting = std::clamp(batch / std::max(per_round, 1e-6), 1.0, 1e6);
    plan.rounds =
        static_cast<int>(std::min(static_cast<double>(sequence.rounds_wanted()), fitting));
    plan.warmup = 1;
  }
  sequence.finish();
  return Comparison{.timing = sequence.timing(),
                    .ratio = sequence.ratio(),
                    .decision = sequence.decision(),
                    .seconds = seconds_since(started)};
}

}  // namespace pet
