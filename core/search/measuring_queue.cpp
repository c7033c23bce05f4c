#include "core/search/measuring_queue.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/util/median.h"

namespace pet {

namespace {

// Estimates are not exact enough to tell less than this.
constexpr double kTells = 0.97;

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

// Milliseconds are those of the machine where the original was timed, else as far from the estimate
// as they were elsewhere.
std::vector<double> MeasuringQueue::expected_ms() const {
  std::vector<double> slower_than_estimated;
  for (std::size_t number = 0; number < original_ms_.size(); ++number)
    if (const double ms = planner_.original_ms(number); ms > 0)
      slower_than_estimated.push_back(ms / original_ms_[number]);
  const double scale = slower_than_estimated.empty() ? 1 : median(slower_than_estimated);
  const Calibration calibrated = calibration();
  std::vector<double> out;
  for (const auto& [number, rank, candidate] : waiting_) {
    const double ratio =
        candidate.cost / original_ms_[number] * calibrated.factor(number, candidate.kind);
    const double known_ms = planner_.original_ms(number);
    const double original = known_ms > 0 ? known_ms : scale * original_ms_[number];
    const double layout = keeps_orders(candidate) ? 0 : planner_.layout_ms(number) / 2;
    out.push_back((ratio > kTells && ratio < 1 ? 0 : original * (1 - ratio)) - layout);
  }
  return out;
}

std::optional<MeasuringQueue::Waiting> MeasuringQueue::take_wanted() {
  const std::vector<double> saved_ms = expected_ms();
  std::vector<Planner::Expected> expected;
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    expected.push_back({waiting_[i].number, &waiting_[i].candidate, saved_ms[i]});
  const auto which = planner_.wanted(expected);
  return which ? std::optional(take(*which)) : std::nullopt;
}

std::optional<MeasuringQueue::Waiting> MeasuringQueue::take_worth_by_itself() {
  const std::vector<double> saved_ms = expected_ms();
  std::optional<std::size_t> best;
  double most = 0;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const auto& [number, rank, candidate] = waiting_[i];
    if (saved_ms[i] <= 0 && !keeps_orders(candidate)) continue;
    const double beyond = (saved_ms[i] - planner_.most_saved_ms(number, keeps_orders(candidate))) *
                          static_cast<double>(planner_.places(number));
    if (best && beyond <= most) continue;
    best = i;
    most = beyond;
  }
  return best ? std::optional(take(*best)) : std::nullopt;
}

}  // namespace pet
