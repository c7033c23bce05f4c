#include "viz/geometry/state_pattern.h"

namespace pet::viz {

Role role_of(State state) {
  switch (state) {
    case State::Equal:
      return Role::Equal;
    case State::Wrong:
      return Role::Wrong;
    case State::Unknown:
      return Role::Unknown;
    case State::Corrected:
      return Role::Corrected;
  }
  return Role::Unknown;
}

std::vector<Segment> pattern_of(State state, const Rect& at) {
  constexpr double kSpacing = 5;
  switch (state) {
    case State::Equal:
      return {};
    case State::Wrong:
      return hatch(at, Role::Wrong, kSpacing);
    case State::Unknown:
      return dots(at, Role::Unknown);
    case State::Corrected:
      return ticks(at, Role::Corrected);
  }
  return {};
}

std::string_view in_words(State state) {
  switch (state) {
    case State::Equal:
      return "equal";
    case State::Wrong:
      return "different";
    case State::Unknown:
      return "not known";
    case State::Corrected:
      return "repaired";
  }
  return {};
}

}  // namespace pet::viz
