#include "core/search/surroundings.h"

#include <algorithm>
#include <utility>

#include "core/util/median.h"

namespace pet {

// Where a transpose cannot be timed the estimate stands.
std::optional<SurroundingTimed> time_border(Planner& planner, const CandidateTimer& timer,
                                            const std::stop_token& stop) {
  const auto border = planner.unmeasured_border();
  if (!border) return std::nullopt;
  auto [files, answer] = timer.time_transpose(*border, stop);
  if (was_stopped(answer)) return SurroundingTimed{{}, true};
  double ms = planner.transpose_ms(border->shape, border->order);
  SurroundingTimed out;
  if (answer) {
    ms = std::max(0.0, median(answer->timing.b_ms) - median(answer->timing.a_ms));
    out.event = BorderMeasured{border->shape, border->order, ms, files, *std::move(answer)};
  } else {
    out.event = BorderFailed{border->shape, border->order, files, answer.error()};
  }
  planner.set_cost(*border, ms);
  return out;
}

// Differences that may be chance count as nothing.
std::optional<SurroundingTimed> time_layout(Planner& planner,
                                            const std::vector<SubprogramClass>& classes,
                                            const CandidateTimer& timer,
                                            const std::stop_token& stop) {
  const auto number = planner.unmeasured_layout();
  if (!number) return std::nullopt;
  auto timed = timer.time_layout(classes[*number].representative(), stop);
  if (timed && was_stopped(timed->answer)) return SurroundingTimed{{}, true};
  double ms = 0;
  SurroundingTimed out;
  if (timed && timed->answer) {
    Comparison& comparison = *timed->answer;
    if (comparison.ratio.low > 1)
      ms = median(comparison.timing.a_ms) * (1 - 1 / comparison.ratio.median);
    out.event = LayoutMeasured{*number, ms, timed->files, std::move(comparison)};
  } else if (timed) {
    out.event = LayoutFailed{*number, timed->files, timed->answer.error()};
  }
  planner.set_layout(*number, ms);
  return out;
}

}  // namespace pet
