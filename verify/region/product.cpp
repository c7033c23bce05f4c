#include "verify/region/product.h"

namespace pet::region {

void put_in_constants(Product& product) {
  for (std::size_t var = 0; var < product.ranges.of.size(); ++var) {
    Range& range = product.ranges.of[var];
    if (range.extent() != 1) continue;
    substitute(product.factors, static_cast<Var>(var), range.low);
    range = {0, 1};
  }
}

void substitute(std::vector<Factor>& factors, Var var, const Affine& value) {
  for (Factor& factor : factors) {
    for (Affine& e : factor.index) e.put(var, value);
  }
}

}  // namespace pet::region
