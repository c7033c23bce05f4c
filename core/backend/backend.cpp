#include "core/backend/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/util/check.h"
#include "core/util/rng.h"

namespace pet {
namespace {

std::vector<std::size_t> shuffled(std::size_t count, Rng& rng) {
  std::vector<std::size_t> out(count);
  std::iota(out.begin(), out.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(out[i - 1], out[rng.below(i)]);
  return out;
}

}  // namespace

Result<std::vector<std::vector<double>>> Backend::time_together(std::span<const ModelId> models,
                                                                const PairPlan& plan,
                                                                std::stop_token stop) {
  PET_CHECK(models.size() >= 2, "one program is not run in turn");
  if (models.size() == 2) {
    auto timing = time_pair(models[0], models[1], plan, std::move(stop));
    if (!timing) return std::move(timing).error();
    return std::vector{std::move(timing->a_ms), std::move(timing->b_ms)};
  }
  Rng rng(plan.order_seed);
  std::vector<std::vector<double>> out(models.size());
  for (int round = -plan.warmup; round < plan.rounds; ++round) {
    const std::vector<std::size_t> order = shuffled(models.size(), rng);
    for (std::size_t i = 0; i < order.size(); i += 2) {
      const bool is_alone = i + 1 == order.size();
      // Which of a pair goes first is drawn behind time_pair().
      const auto [a, b] = std::minmax(order[i], order[is_alone ? i : i + 1]);
      PairPlan both = plan;
      both.rounds = 1;
      both.warmup = 0;
      both.order_seed = rng.next() >> 1;
      const auto timing = time_pair(models[a], models[b], both, stop);
      if (!timing) return timing.error();
      if (round < 0) continue;
      out[a].push_back(timing->a_ms.front());
      if (!is_alone) out[b].push_back(timing->b_ms.front());
    }
  }
  return out;
}

Result<OperatorProfile> Backend::profile(ModelId, const ProfilePlan&, std::stop_token) {
  return Error{fmt::format("times by operator are not offered by {}", info().name),
               ErrorKind::Unsupported};
}

}  // namespace pet
