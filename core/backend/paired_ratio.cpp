#include "core/backend/paired_ratio.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/util/check.h"

namespace pet {
namespace {

// Rounds at a look: each is at half as many again as the one before, so that a doubtful case costs
// little more than one look at the end.
std::size_t rounds_at(std::size_t look, const RatioRule& rule) {
  std::size_t rounds = rule.first_look;
  for (std::size_t i = 0; i < look; ++i) rounds += rounds / 2;
  return rounds;
}

// The largest k with P(Binomial(n, 1/2) < k) <= alpha: the k-th smallest of n samples is below the
// median, and the k-th largest above, except with that probability. 0 if n is too small for any.
std::size_t bound_rank(std::size_t n, double alpha) {
  const double total = static_cast<double>(n) * std::log(2.0);
  double below = 0.0;
  std::size_t k = 0;
  for (; k < n; ++k) {
    const double log_choose = std::lgamma(static_cast<double>(n) + 1.0) -
                              std::lgamma(static_cast<double>(k) + 1.0) -
                              std::lgamma(static_cast<double>(n - k) + 1.0);
    below += std::exp(log_choose - total);
    if (below > alpha) break;
  }
  return k;
}

std::vector<double> sorted_log_ratios(const PairTiming& timing) {
  PET_CHECK(timing.a_ms.size() == timing.b_ms.size() && !timing.a_ms.empty(),
            "samples come in pairs");
  std::vector<double> ratios;
  ratios.reserve(timing.a_ms.size());
  for (std::size_t i = 0; i < timing.a_ms.size(); ++i) {
    PET_CHECK(timing.a_ms[i] > 0.0 && timing.b_ms[i] > 0.0, "a time is positive");
    ratios.push_back(std::log(timing.a_ms[i] / timing.b_ms[i]));
  }
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

double lower_bound_of_median(const std::vector<double>& sorted, double alpha) {
  const std::size_t k = bound_rank(sorted.size(), alpha);
  return k == 0 ? -std::numeric_limits<double>::infinity() : sorted[k - 1];
}

double upper_bound_of_median(const std::vector<double>& sorted, double alpha) {
  const std::size_t k = bound_rank(sorted.size(), alpha);
  return k == 0 ? std::numeric_limits<double>::infinity() : sorted[sorted.size() - k];
}

}  // namespace

Ratio paired_ratio(const PairTiming& timing, double alpha) {
  const std::vector<double> sorted = sorted_log_ratios(timing);
  const std::size_t middle = sorted.size() / 2;
  const double median =
      sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return {.median = std::exp(median),
          .low = std::exp(lower_bound_of_median(sorted, alpha)),
          .high = std::exp(upper_bound_of_median(sorted, alpha))};
}

std::size_t SequentialComparison::rounds_wanted() const {
  if (decision_ != Decision::Undecided || looks_ == kLooks) return 0;
  return rounds_at(looks_, rule_) - timing_.a_ms.size();
}

std::optional<DeviceClocks> together(const std::optional<DeviceClocks>& a,
                                     const std::optional<DeviceClocks>& b) {
  if (!a || !b) return a ? a : b;
  return DeviceClocks{.lowest_mhz = std::min(a->lowest_mhz, b->lowest_mhz),
                      .highest_mhz = std::max(a->highest_mhz, b->highest_mhz),
                      .throttled = a->throttled || b->throttled,
                      .others = std::max(a->others, b->others)};
}

void SequentialComparison::add(const PairTiming& timing) {
  PET_CHECK(timing.a_ms.size() == timing.b_ms.size(), "samples come in pairs");
  PET_CHECK(timing.a_ms.size() <= rounds_wanted(),
            "looks are at numbers of rounds that were fixed beforehand");
  timing_.a_ms.insert(timing_.a_ms.end(), timing.a_ms.begin(), timing.a_ms.end());
  timing_.b_ms.insert(timing_.b_ms.end(), timing.b_ms.begin(), timing.b_ms.end());
  timing_.clocks = together(timing_.clocks, timing.clocks);
  if (timing.a_ms.empty() || timing_.a_ms.size() != rounds_at(looks_, rule_)) return;
  ++looks_;
  look(rule_.alpha / static_cast<double>(kLooks));
}

void SequentialComparison::finish() {
  if (is_finished() || timing_.a_ms.empty()) return;
  const auto left = static_cast<double>(kLooks - looks_);
  looks_ = kLooks;
  look(rule_.alpha * left / static_cast<double>(kLooks));
}

void SequentialComparison::look(double alpha) {
  const std::vector<double> sorted = sorted_log_ratios(timing_);
  const double gain = std::log(rule_.min_gain);
  if (lower_bound_of_median(sorted, alpha) > gain) {
    decision_ = Decision::Faster;
  } else if (upper_bound_of_median(sorted, alpha) < 0.0) {
    decision_ = Decision::Slower;
  } else if (upper_bound_of_median(sorted, rule_.futility_alpha) < gain) {
    decision_ = Decision::Tie;
  }
}

}  // namespace pet
