// A large scene small: what has a frame as a block of its frame's colour, long lines as lines,
// words not at all.
#pragma once

#include "viz/geometry/scene.h"
#include "viz/geometry/viewport.h"

namespace pet::viz {

struct Minimap {
  Scene scene;        // as large as the map
  double across = 1;  // pixels of the map for one of the large scene
  double down = 1;
  Rect at(const Rect& large) const;     // there, no smaller than can be seen
  Point large(const Point& map) const;  // where that is in the large scene
};

// As large as fits into `most`, in proportion, but never so narrow that it cannot be seen. What
// would cover what is there already is left out: a scene of any size gives a small one.
Minimap minimap_of(const Scene& large, Extent most);

}  // namespace pet::viz
