// Products written so that equal ones look alike, however their factors were ordered and their sums
// named, shifted or reversed.
#pragma once

#include "verify/region/product.h"

namespace pet::region {

struct CanonicalProduct {
  std::vector<Factor> factors;
  std::vector<Range> sums;  // by variable, numbered after the digits
  Rational weight;
};

// The ranges of the product's digits are not looked at.
CanonicalProduct canonical(Product product);

}  // namespace pet::region
