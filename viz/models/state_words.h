// What a state of a box is called in tables.
#pragma once

#include <QString>

#include "viz/geometry/quotient_grid.h"

namespace pet::viz {

QString state_in_words(State state);

}  // namespace pet::viz
