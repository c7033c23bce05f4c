// PET's Figure 1 by hand: pairs of images joined along the width are wrong in two columns of 112.
#pragma once

#include "viz/geometry/quotient_grid.h"

namespace pet::viz::test {

// Of [8·2, 64, 56, 56]: column 55 of even images, column 0 of odd ones; the engine cuts at the
// borders of h and w.
inline QuotientGrid figure_1() {
  const DigitBasis basis{{{8, 2}, {64}, {56}, {56}}};
  std::vector<StatedBox> boxes = {{{{0, 0, 0, 0, 55}, {8, 1, 64, 56, 56}}, State::Wrong},
                                  {{{0, 1, 0, 0, 0}, {8, 2, 64, 56, 1}}, State::Wrong},
                                  {{{0, 0, 0, 0, 0}, {8, 1, 64, 1, 1}}, State::Equal},
                                  {{{0, 0, 0, 55, 0}, {8, 1, 64, 56, 1}}, State::Equal}};
  return {basis, std::move(boxes)};
}

}  // namespace pet::viz::test
