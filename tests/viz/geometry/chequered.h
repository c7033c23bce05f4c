// An output of as many boxes as it has elements, for tests of what shows many.
#pragma once

#include "core/program/inspector.h"

namespace pet::viz {

// Of extents [a, b, c]: about every seventh element is wrong, in other columns of each slice.
inline InspectedOutput chequered(Dim a, Dim b, Dim c) {
  InspectedOutput out{"y", DigitBasis::plain({a, b, c}), {}, {}, {}};
  for (Dim i = 0; i < a; ++i)
    for (Dim k = 0; k < b; ++k)
      for (Dim m = 0; m < c; ++m) {
        const bool is_wrong = (i * k + m) % 7 == i % 5;
        const Box box{{i, k, m}, {i + 1, k + 1, m + 1}};
        out.boxes.push_back({box, is_wrong ? Sameness::Different : Sameness::Equal});
        if (is_wrong) out.wrong.boxes.push_back(box);
      }
  out.wrong.basis = out.basis;
  return out;
}

}  // namespace pet::viz
