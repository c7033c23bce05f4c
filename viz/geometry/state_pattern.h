// How a state is drawn: its colour, and a pattern of its own, since colours are not all that tells
// states apart.
#pragma once

#include <string_view>
#include <vector>

#include "viz/geometry/quotient_grid.h"
#include "viz/geometry/scene.h"

namespace pet::viz {

Role role_of(State state);
// Nothing for what is equal, which is filled.
std::vector<Segment> pattern_of(State state, const Rect& at);
std::string_view in_words(State state);  // "different"

}  // namespace pet::viz
