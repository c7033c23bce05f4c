#include "core/backend/measuring_profiler.h"

#include <algorithm>

#include "core/util/rng.h"

namespace pet {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Result<Comparison> MeasuringProfiler::compare(const std::filesystem::path& original,
                                              const std::filesystem::path& candidate,
                                              std::stop_token stop) {
  const auto a = backend_.load(original, options_.load, stop);
  if (!a) return a.error();
  const auto b = backend_.load(candidate, options_.load, stop);
  if (!b) {
    backend_.unload(a->id);
    return b.error();
  }
  auto comparison = compare_loaded(a->id, b->id, stop);
  backend_.unload(a->id);
  backend_.unload(b->id);
  if (comparison) ++made_;
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
