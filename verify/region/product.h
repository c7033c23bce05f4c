// A product of elements of leaves, summed over ranges.
#pragma once

#include <optional>
#include <vector>

#include "core/util/rational.h"
#include "verify/region/leaves.h"
#include "verify/region/narrowing.h"

namespace pet::region {

struct Factor {
  Leaf leaf;
  std::vector<Affine> index;
  auto operator<=>(const Factor&) const = default;
};

// A number that is mostly 1, which takes no memory then: products are copied all the time.
class Coefficient {
 public:
  Coefficient() = default;
  Coefficient(Rational x) : value_(std::move(x)) {}  // NOLINT: a number is a coefficient

  Rational value() const { return value_.value_or(Rational(1)); }
  Coefficient& operator*=(const Rational& x) {
    if (value_) {
      *value_ *= x;
    } else if (x != 1) {
      value_ = x;
    }
    return *this;
  }

 private:
  std::optional<Rational> value_;  // nothing: 1
};

// coef · Σ over the ranges beyond the digits of the product.
struct Product {
  Coefficient coef;
  Ranges ranges;
  std::vector<Factor> factors;
};

// Variables that stand still in the product's ranges are no variables of it any more.
void put_in_constants(Product& product);

void substitute(std::vector<Factor>& factors, Var var, const Affine& value);

}  // namespace pet::region
