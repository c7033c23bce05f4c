// Sinh: the hyperbolic sine.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kSinh = function_of<[](Real x) { return std::sinh(x); }>("sinh", "sinhf(x0)");

}  // namespace

const OpDef& sinh() {
  static const OpDef def = elementwise<kSinh>("Sinh", "hyperbolic sine, element by element");
  return def;
}

}  // namespace pet::ops
