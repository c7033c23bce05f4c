#include "core/backend/time_alone.h"

#include <algorithm>
#include <chrono>

#include "core/util/printable.h"

namespace pet {

Result<std::vector<double>> time_alone(Backend& backend, const std::filesystem::path& file,
                                       const LoadOptions& options, double seconds,
                                       std::uint64_t seed, const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  const auto loaded = backend.load(file, options, stop);
  if (!loaded) return loaded.error();
  std::vector<double> out;
  PairPlan plan{.rounds = 1, .warmup = 1};
  plan.seed = seed;
  constexpr std::size_t kEnough = 100;
  for (double left = seconds; out.empty() || (left > 0 && out.size() < kEnough);) {
    plan.order_seed = out.size();
    const auto asked = Clock::now();
    const auto timing = backend.time_pair(loaded->id, loaded->id, plan, stop);
    const double took = std::chrono::duration<double>(Clock::now() - asked).count();
    if (!timing) {
      backend.unload(loaded->id);
      return Error(timing.error()).within(printable(file.string()));
    }
    for (const auto* side : {&timing->a_ms, &timing->b_ms})
      out.insert(out.end(), side->begin(), side->end());
    left -= took;
    const double a_round = std::max(1e-6, took / (plan.rounds + plan.warmup));
    plan.rounds = static_cast<int>(std::clamp(left / a_round, 1.0, 50.0));
    plan.warmup = 0;
  }
  backend.unload(loaded->id);
  return out;
}

}  // namespace pet
