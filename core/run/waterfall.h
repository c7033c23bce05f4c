// Where the time went: from the original's to the optimised file's, what each kind of change saves
// in between.
#pragma once

#include <vector>

#include "core/run/record.h"

namespace pet {

// Places where the same became the same.
struct Alike {
  std::vector<const PlaceRecord*> places;  // at least one
  double saved_ms() const;
};
// What saves most comes first. REQUIRES: the places outlive the result
std::vector<Alike> alike(const std::vector<PlaceRecord>& places);

struct Waterfall {
  struct Bar {
    enum class What { Original, Places, Together, Optimized } what = What::Original;
    double from_ms = 0, to_ms = 0;
    std::size_t group = 0;  // of Places: which of alike()
  };
  std::vector<Bar> bars;
};

// Places are measured one by one, among their neighbours, and the whole files as wholes: `Together`
// is what the sum of the places differs from the whole by. Without bars where the time of the
// original is not known.
Waterfall waterfall_of(const RunRecord& record);

}  // namespace pet
