// An inspected output as a grid and as a small picture.
#pragma once

#include "core/program/inspector.h"
#include "viz/geometry/quotient_grid.h"
#include "viz/geometry/scene.h"

namespace pet::viz {

// What differs is drawn in few boxes, as every answer gives it; what is equal stays cut where the
// engine cut it. REQUIRES: something is known of the output
// `repaired`: what was wrong before; it is drawn where nothing is wrong any more.
QuotientGrid grid_of(const InspectedOutput& output, const Region& repaired = {});

State state_of(Sameness sameness);

// For a card: the planes alone. Nothing where nothing is known.
Scene preview_of(const InspectedOutput& output);

}  // namespace pet::viz
