#include "viz/session/run_request.h"

namespace pet::viz {
namespace {

// Wrong in part, as far as its fingerprint or a check tells.
bool is_partial(const Event& event) {
  if (const auto* kept = std::get_if<CandidateKept>(&event)) return kept->in_part;
  const auto* verified = std::get_if<MutantVerified>(&event);
  return verified != nullptr && verified->outcome == Outcome::Partial;
}

bool is_reached(Until until, const Event& event) {
  switch (until) {
    case Until::Node:
      return false;
    case Until::Mutant:
      return std::holds_alternative<MutantProposed>(event) ||
             std::holds_alternative<MutantShown>(event);
    case Until::Partial:
      return is_partial(event);
    case Until::Candidate:
      return std::holds_alternative<CandidateMeasured>(event) ||
             std::holds_alternative<CandidateFailed>(event);
    case Until::Subprogram:
      return std::holds_alternative<RoundStarted>(event);
  }
  return false;
}

}  // namespace

bool is_reached(Until until, const LogEntry& entry) {
  const auto* event = std::get_if<Event>(&entry.what);
  if (event == nullptr) return until == Until::Node;
  return until == Until::Node || is_reached(until, *event);
}

Goal goal_for(Until until) {
  if (until == Until::Node) return {};
  return {Grain::Node, [until](const Event& event) { return is_reached(until, event); }};
}

}  // namespace pet::viz
