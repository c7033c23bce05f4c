// Sizes that are not known yet: sums of unknowns, and equations between them.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/ir/shape.h"
#include "core/util/rational.h"
#include "core/util/rng.h"

namespace pet::rules {

inline constexpr Dim kLargestSize = 6;  // of what is drawn; what follows from it may be larger

// constant + Σ factor · unknown
class Size {
 public:
  Size(Dim constant = 0) : constant_(constant) {}  // NOLINT: a number is a size
  static Size unknown(std::size_t number);

  Dim constant() const { return constant_; }
  const std::map<std::size_t, Dim>& parts() const { return parts_; }  // no factor is 0
  Dim at(const std::vector<Dim>& values) const;
  bool is_number() const { return parts_.empty(); }
  bool is_beyond() const;  // larger than any tensor, and not exact any more
  bool operator==(const Size& other) const = default;

  Size& operator+=(const Size& other);
  friend Size operator+(Size a, const Size& b) { return a += b; }
  friend Size operator*(Size a, Dim factor);
  friend Size operator-(Size a, const Size& b) { return a += b * -1; }

 private:
  Dim constant_;
  std::map<std::size_t, Dim> parts_;
};

class Sizes {
 public:
  // An unknown from `least` to `most`.
  Size unknown(Dim least, Dim most);
  // One of what a rule makes itself, to fit.
  Size made();
  bool is_made(const Size& size) const;  // as far as it has such unknowns
  // The unknowns of a size may be that much larger than they might.
  void widen(const Size& size, Dim by);
  void equal(const Size& a, const Size& b) { zero_.push_back(a - b); }
  void at_least(const Size& a, Dim least) { positive_.push_back(a - least); }

  // Σ factor · unknown + constant = 0
  struct Equation {
    std::map<std::size_t, Rational> parts;
    Rational constant;
  };
  // What was put equal, solved for one unknown each.
  using Solved = std::map<std::size_t, Equation>;
  // Nothing where it contradicts itself.
  std::optional<Solved> solved() const;

  // Values of all unknowns such that everything holds, drawn; nothing where a draw leads nowhere.
  // REQUIRES: solved() of these sizes
  std::optional<std::vector<Dim>> draw(const Solved& equations, Rng& rng, bool is_widened) const;

  // Every unknown as a sum of those that remain free. How large a size is
  // drawn at most is no part of it.
  struct Solution {
    std::vector<std::size_t> free;
    std::vector<Size> values;         // of all unknowns
    std::vector<Size> at_least_zero;  // what must hold of the free ones
  };
  // Nothing where there is none, or where a size would be a fraction of others.
  std::optional<Solution> solution() const;

 private:
  struct Bounds {
    Dim least;
    Dim most;
    Dim widened = 0;  // of most: so much
    bool is_made = false;
  };
  std::vector<Bounds> bounds_;
  std::vector<Size> zero_;
  std::vector<Size> positive_;
};

}  // namespace pet::rules
