// Cosh: the hyperbolic cosine.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kCosh = function_of<[](Real x) { return std::cosh(x); }>("cosh", "coshf(x0)");

}  // namespace

const OpDef& cosh() {
  static const OpDef def = elementwise<kCosh>("Cosh", "hyperbolic cosine, element by element");
  return def;
}

}  // namespace pet::ops
