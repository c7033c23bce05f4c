// A product of elements of leaves, summed over ranges.
#pragma once

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

// coef · Σ over the ranges beyond the digits of the product.
struct Product {
  Rational coef = 1;
  Ranges ranges;
  std::vector<Factor> factors;
};

// Variables that stand still in the product's ranges are no variables of it any more.
void put_in_constants(Product& product);

void substitute(std::vector<Factor>& factors, Var var, const Affine& value);

}  // namespace pet::region
