// Affine functions of the variables of a box: the digits of an output position, and what is summed
// over.
#pragma once

#include <span>
#include <utility>

#include "core/ir/shape.h"
#include "core/util/inline_vector.h"

namespace pet::region {

using Var = int;

// Half-open: low <= x < high.
struct Range {
  Dim low = 0;
  Dim high = 1;

  Dim extent() const { return high - low; }
  bool operator==(const Range&) const = default;
};

class Affine {
 public:
  struct Part {
    Var var;
    Dim coefficient;
    auto operator<=>(const Part&) const = default;
  };
  using Parts = InlineVector<Part, 3>;  // few have more

  Affine(Dim constant = 0) : constant_(constant) {}  // NOLINT: an index may be written as a number
  static Affine of(Var var, Dim coefficient = 1);

  Dim constant() const { return constant_; }
  // Sorted by variable, each once, no coefficient 0.
  const Parts& parts() const { return parts_; }
  bool is_constant() const { return parts_.empty(); }
  Dim coefficient(Var var) const;

  // Smallest and largest value. REQUIRES: no range is empty
  std::pair<Dim, Dim> bounds(std::span<const Range> ranges) const;
  Affine substitute(Var var, const Affine& value) const;
  // The same, in place. REQUIRES: value is another object
  void put(Var var, const Affine& value);

  Affine& operator+=(const Affine& other);
  Affine& operator*=(Dim factor);
  friend Affine operator+(Affine a, const Affine& b) { return a += b; }
  friend Affine operator*(Affine a, Dim factor) { return a *= factor; }
  friend Affine operator-(Affine a, const Affine& b) { return a += b * -1; }
  auto operator<=>(const Affine&) const = default;

 private:
  Dim constant_ = 0;
  Parts parts_;
};

}  // namespace pet::region
