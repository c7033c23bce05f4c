#include "core/search/measuring_queue.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/util/median.h"

namespace pet {

// Estimates are not exact enough to tell less than this.
bool MeasuringQueue::is_promising(const Waiting& waiting) const {
  constexpr double kTells = 0.97;
  return waiting.candidate.cost < kTells * original_ms_[waiting.number];
}

void MeasuringQueue::add(std::size_t number, std::vector<Candidate> candidates) {
  std::map<std::pair<std::vector<AxisOrder>, std::vector<AxisOrder>>, std::size_t> of_order;
  for (Candidate& candidate : candidates) {
    const bool is_first = of_order.empty();
    const std::size_t rank = ++of_order[{candidate.inputs, candidate.outputs}];
    Waiting waiting{number, rank, std::move(candidate)};
    // What is not even estimated to save anything has its worth from its neighbours.
    if (is_first && is_promising(waiting)) waiting.rank = 0;
    waiting_.push_back(std::move(waiting));
  }
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const Waiting& a, const Waiting& b) { return a.rank < b.rank; });
}

MeasuringQueue::Waiting MeasuringQueue::take(std::size_t index) {
  Waiting out = std::move(waiting_[index]);
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
  return out;
}

std::optional<MeasuringQueue::Waiting> MeasuringQueue::take_first() {
  if (waiting_.empty() || waiting_.front().rank > 0) return std::nullopt;
  return take(0);
}

// What was saved in measurements, as a multiple of what the estimates said.
double MeasuringQueue::calibration() const {
  std::vector<double> factors;
  for (std::size_t number = 0; number < original_ms_.size(); ++number) {
    const auto& measured = planner_.of(number);
    for (std::size_t i = 0; i < measured.size(); ++i) {
      const double estimated_ms = original_ms_[number] - measured[i].candidate.cost;
      if (estimated_ms > 0) factors.push_back(planner_.saved_ms(number, i) / estimated_ms);
    }
  }
  // Where estimates were wrong about more than half of what was measured, the little that they
  // still say orders the rest.
  constexpr double kLeast = 0.1;
  return std::max(kLeast, median(std::move(factors)));
}

std::optional<MeasuringQueue::Waiting> MeasuringQueue::take_wanted() {
  const double factor = calibration();
  std::vector<Planner::Expected> expected;
  for (const Waiting& waiting : waiting_) {
    const double saved_ms = original_ms_[waiting.number] - waiting.candidate.cost;
    const bool counts = saved_ms < 0 || is_promising(waiting);
    expected.push_back({waiting.number, &waiting.candidate, counts ? factor * saved_ms : 0});
  }
  const auto which = planner_.wanted(expected);
  return which ? std::optional(take(*which)) : std::nullopt;
}

std::optional<MeasuringQueue::Waiting> MeasuringQueue::take_worth_by_itself() {
  auto it = std::find_if(waiting_.begin(), waiting_.end(),
                         [&](const Waiting& waiting) { return is_promising(waiting); });
  if (it == waiting_.end()) {
    it = std::find_if(waiting_.begin(), waiting_.end(),
                      [](const Waiting& waiting) { return keeps_orders(waiting.candidate); });
  }
  if (it == waiting_.end()) return std::nullopt;
  return take(static_cast<std::size_t>(it - waiting_.begin()));
}

}  // namespace pet
