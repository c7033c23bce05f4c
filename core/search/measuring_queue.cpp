#include "core/search/measuring_queue.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/util/median.h"

namespace pet {

namespace {

// Estimates are not exact enough to tell less than this.
constexpr double kTells = 0.97;

// What a comparison takes, about.
constexpr double kSetUpMs = 300;
constexpr double kRuns = 40;
constexpr double kLeastMs = 1e-6;

double normal_below(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

// The mean of max(0, known - x) where log x is normal around log expected: what is hoped for beyond
// what is known (the expected improvement of Bayesian optimisation).
double hoped_below(double known, double expected, double spread) {
  if (known <= 0) return 0;
  const double at = std::log(known / std::max(expected, kLeastMs)) / spread;
  const double mean = expected * std::exp(spread * spread / 2);
  return std::max(0.0, known * normal_below(at) - mean * normal_below(at - spread));
}

}  // namespace

void MeasuringQueue::add(std::size_t number, std::vector<Candidate> candidates) {
  std::map<std::pair<std::vector<AxisOrder>, std::vector<AxisOrder>>, std::size_t> of_order;
  for (Candidate& candidate : candidates) {
    const bool promises = of_order.empty() && candidate.cost < kTells * original_ms_[number];
    const std::size_t rank = ++of_order[{candidate.inputs, candidate.outputs}];
    // What is not even estimated to save anything has its worth from its neighbours.
    waiting_.push_back({number, promises ? 0 : rank, std::move(candidate)});
  }
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const Waiting& a, const Waiting& b) { return a.rank < b.rank; });
}

MeasuringQueue::Waiting MeasuringQueue::take(std::size_t index) {
  Waiting out = std::move(waiting_[index]);
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
  return out;
}

std::size_t MeasuringQueue::waiting(std::size_t number) const {
  return static_cast<std::size_t>(
      std::count_if(waiting_.begin(), waiting_.end(),
                    [&](const Waiting& waiting) { return waiting.number == number; }));
}

std::optional<MeasuringQueue::Waiting> MeasuringQueue::take_first() {
  if (waiting_.empty() || waiting_.front().rank > 0) return std::nullopt;
  return take(0);
}

Calibration MeasuringQueue::calibration() const {
  std::vector<Calibration::Observation> observations;
  for (std::size_t number = 0; number < original_ms_.size(); ++number) {
    for (const Measured& measured : planner_.of(number)) {
      observations.push_back({number, measured.candidate.kind,
                              measured.candidate.cost / original_ms_[number],
                              1 / measured.comparison.ratio.median});
    }
  }
  return Calibration(observations);
}

std::vector<double> MeasuringQueue::known_original_ms() const {
  std::vector<double> known, factors;
  for (std::size_t number = 0; number < original_ms_.size(); ++number) {
    known.push_back(planner_.original_ms(number));
    if (known.back() > 0) factors.push_back(known.back() / original_ms_[number]);
  }
  const double factor = factors.empty() ? 1 : median(std::move(factors));
  for (std::size_t number = 0; number < original_ms_.size(); ++number)
    if (known[number] <= 0) known[number] = factor * original_ms_[number];
  return known;
}

std::vector<double> MeasuringQueue::expected_ms(const std::vector<double>& original,
                                                const Calibration& calibrated) const {
  std::vector<double> out;
  for (const auto& [number, rank, candidate] : waiting_) {
    const double ratio =
        candidate.cost / original_ms_[number] * calibrated.factor(number, candidate.kind);
    const double layout = keeps_orders(candidate) ? 0 : planner_.layout_ms(number) / 2;
    out.push_back((ratio > kTells && ratio < 1 ? 0 : original[number] * (1 - ratio)) - layout);
  }
  return out;
}

std::optional<MeasuringQueue::Waiting> MeasuringQueue::take_wanted() {
  const std::vector<double> saved_ms = expected_ms(known_original_ms(), calibration());
  std::vector<Planner::Expected> expected;
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    expected.push_back({waiting_[i].number, &waiting_[i].candidate, saved_ms[i]});
  const auto which = planner_.wanted(expected);
  return which ? std::optional(take(*which)) : std::nullopt;
}

std::optional<MeasuringQueue::Waiting> MeasuringQueue::take_worth_by_itself() {
  const std::vector<double> original = known_original_ms();
  const Calibration calibrated = calibration();
  const std::vector<double> saved_ms = expected_ms(original, calibrated);
  std::optional<std::size_t> best;
  double most = 0;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const auto& [number, rank, candidate] = waiting_[i];
    if (saved_ms[i] <= 0 && !keeps_orders(candidate)) continue;
    const double ms = std::max(original[number], kLeastMs);
    const double known = planner_.most_saved_ms(number, keeps_orders(candidate));
    const double hoped = hoped_below(1 - known / ms, 1 - saved_ms[i] / ms, calibrated.spread());
    const double worth =
        hoped * ms * static_cast<double>(planner_.places(number)) / (kSetUpMs + kRuns * ms);
    if (best && worth <= most) continue;
    best = i;
    most = worth;
  }
  return best ? std::optional(take(*best)) : std::nullopt;
}

}  // namespace pet
