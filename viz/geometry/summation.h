// What a value is, box by box, as people compare it: PET's summation intervals. Terms that read the
// same values and move alike with the position are one sum; the offsets at which it reads are its
// interval, and of the taps that it has in any box those it has not in this one are left out.
#pragma once

#include <string>
#include <vector>

#include "core/program/inspector.h"
#include "viz/geometry/quotient_grid.h"

namespace pet::viz {

// Of one axis of a value that is read: Σ coefficient · digit + one of the offsets.
struct ReadAxis {
  std::vector<std::pair<std::size_t, Dim>> of_digits;
  std::vector<Interval> offsets;  // sorted, none meets the next
  bool has_gaps = false;          // not every one of an interval occurs
  bool operator==(const ReadAxis&) const = default;
};

struct ReadValue {
  std::string name;  // empty: what an element function yields
  std::vector<ReadAxis> axes;
  bool operator==(const ReadValue&) const = default;
};

// The part of a sum that is added up at one tap: the indices of the tap's axes.
using Tap = std::vector<Interval>;

// Terms that read the same values, moving alike.
struct Sum {
  bool is_of_original = true;
  std::vector<ReadValue> reads;  // with all offsets that occur in any box
  // Which axes taps are told by: (number of the read, axis). Those of a kernel where one is read,
  // else those in which offsets differ.
  std::vector<std::pair<std::size_t, std::size_t>> tap_axes;
  std::vector<Tap> taps;  // of all boxes, sorted
};

// In one box.
struct SumInBox {
  std::size_t sum = 0;                    // which one
  std::vector<ReadValue> reads;           // with the offsets that occur here
  std::vector<bool> has_tap;              // by tap of the sum
  double products = 0;                    // all sums written out
  std::vector<std::string> coefficients;  // each once
  std::size_t taps_here() const;
  bool operator==(const SumInBox&) const = default;
};

struct SummedBox {
  Box box;
  std::size_t formula = 0;  // boxes of one number are the same sum of products in their digits
  std::vector<SumInBox> sums;
  std::string reason;  // why they are not known
};

struct Summation {
  DigitBasis basis;
  std::vector<Sum> sums;
  std::vector<SummedBox> boxes;  // by where they begin
  std::size_t formulas = 0;
};

Summation summation_of(const InspectedSums& inspected);

// "h + [-1,1], w + [0,1]": the offsets in which the sum reads in that box, as far as they are not 0
// throughout; else what it sums over in place ("column of A [0,63]"), or "none". `basis`: of the
// value.
std::string interval_in_words(const SumInBox& sum, const DigitBasis& basis);
// "6 of 9 taps; without (0,0) (0,1) (0,2)"; empty where there is one tap at most.
std::string taps_in_words(const SumInBox& here, const Sum& sum, std::size_t most = 9);
// "Σ X[n, [0,1], h + [-1,1], w + [0,1]] · W[c, [0,1], [0,2], [1,2]]".
std::string formula_in_words(const SumInBox& sum, const DigitBasis& basis);

}  // namespace pet::viz
