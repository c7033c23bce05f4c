// A tensor seen by intervals instead of indices: cuts along every digit, from one end of the tensor
// to the other, such that all elements of a cell are in the same state. A cell is one interval of
// every digit.
#pragma once

#include <cstddef>
#include <vector>

#include "core/ir/box.h"

namespace pet::viz {

enum class State {
  Equal,
  Wrong,
  Unknown,
  Corrected  // equal, and was wrong before it was repaired
};

// Half-open: low <= x < high.
struct Interval {
  Dim low = 0;
  Dim high = 0;
  Dim extent() const { return high - low; }
  bool operator==(const Interval&) const = default;
};

// A box of elements in one state, in digits.
struct StatedBox {
  Box box;
  State state = State::Equal;
  std::size_t look = 0;  // what else tells boxes apart that are drawn
};

// Which intervals of each digit a box covers: half-open ranges of their numbers.
using Span = std::vector<Interval>;

class QuotientGrid {
 public:
  // REQUIRES: the boxes are disjoint and lie inside of the basis. What no box holds is equal.
  QuotientGrid(DigitBasis basis, std::vector<StatedBox> boxes);

  const DigitBasis& basis() const { return basis_; }
  std::size_t digits() const { return intervals_.size(); }
  const std::vector<Interval>& intervals(std::size_t digit) const { return intervals_[digit]; }
  const std::vector<StatedBox>& boxes() const { return boxes_; }
  Span span_of(const Box& box) const;

  // Of all cells, and of those in a state; as doubles, since a grid of eight digits may have more
  // than fit an integer.
  double cells() const;
  double cells_in(State state) const;
  Dim elements_in(State state) const;
  Dim elements() const;
  double share(State state) const;  // of the elements

 private:
  DigitBasis basis_;
  std::vector<StatedBox> boxes_;
  std::vector<std::vector<Interval>> intervals_;  // by digit
};

}  // namespace pet::viz
