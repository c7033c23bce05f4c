// What plans pay for around candidates: transposes between values in different orders of axes, and
// layouts of the runtime's own that neighbours no longer share. What a plan counts on is timed
// once.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "core/search/candidate_timer.h"
#include "core/search/events.h"
#include "core/search/planner.h"

namespace pet {

struct SurroundingTimed {
  std::optional<Event> event;
  bool is_cut_short = false;  // by a stop: nothing was learnt
};

// The next that a plan of the planner needs; it learns the result. nullopt: it knows all it needs.
std::optional<SurroundingTimed> time_border(Planner& planner, const CandidateTimer& timer,
                                            const std::stop_token& stop);
std::optional<SurroundingTimed> time_layout(Planner& planner,
                                            const std::vector<SubprogramClass>& classes,
                                            const CandidateTimer& timer,
                                            const std::stop_token& stop);

}  // namespace pet
