// Asin: the inverse of the sine, undefined outside of [-1, 1].
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kAsin =
    function_of<[](Real x) { return std::asin(x); }>("asin", "asinf(x0)", Totality::Partial);

}  // namespace

const OpDef& asin() {
  static const OpDef def = elementwise<kAsin>("Asin", "inverse sine, element by element");
  return def;
}

}  // namespace pet::ops
