// Closed intervals of rationals: what is known about a real number that is computed to more and
// more digits until a question about it is decided. A point is exact.
#pragma once

#include <optional>

#include "core/util/rational.h"

namespace pet {

struct Interval {
  Rational low;
  Rational high;

  static Interval point(const Rational& x) { return {x, x}; }
  bool is_point() const { return low == high; }
  bool operator==(const Interval&) const = default;
};

Interval operator+(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);

// Nothing where the interval holds 0.
std::optional<Interval> reciprocal(const Interval& x);

// To `bits` significant bits; a point where the root is rational. Nothing where the interval holds
// negative numbers.
std::optional<Interval> square_root(const Interval& x, unsigned bits);

}  // namespace pet
