// A 3x3 convolution with padding 1 of [1, 4, 8, 10], as an inspector tells it.
#pragma once

#include "core/program/inspector.h"

namespace pet::viz::test {

inline InspectedTerm tap(Dim y, Dim x) {
  using Index = InspectedTerm::Index;
  const InspectedTerm::Factor kernel{
      "W",
      {Index{0, {}, {{1, 1}}}, Index{0, {{0, 1}}, {}}, Index{y + 1, {}, {}}, Index{x + 1, {}, {}}}};
  const InspectedTerm::Factor image{
      "X",
      {Index{0, {}, {}}, Index{0, {{0, 1}}, {}}, Index{y, {}, {{2, 1}}}, Index{x, {}, {{3, 1}}}}};
  return {true, "1", {kernel, image}, {{0, 2}}};
}

inline InspectedSums nine_boxes() {
  const Shape shape = {1, 4, 8, 10};
  InspectedSums out{DigitBasis::plain(shape), {}, {}};
  const auto parts = [](Dim extent) {
    return std::vector<std::pair<Dim, Dim>>{{0, 1}, {1, extent - 1}, {extent - 1, extent}};
  };
  for (const auto& [top, bottom] : parts(shape[2])) {
    for (const auto& [left, right] : parts(shape[3])) {
      InspectedSums::Part& part = out.parts.emplace_back();
      part.box = {{0, 0, top, left}, {1, 4, bottom, right}};
      for (Dim y = top > 0 ? -1 : 0; y <= (bottom < shape[2] ? 1 : 0); ++y)
        for (Dim x = left > 0 ? -1 : 0; x <= (right < shape[3] ? 1 : 0); ++x)
          part.terms.push_back(tap(y, x));
    }
  }
  return out;
}

}  // namespace pet::viz::test
