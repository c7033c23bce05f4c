// Asinh: the inverse of the hyperbolic sine.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kAsinh =
    function_of<[](Real x) { return std::asinh(x); }>("asinh", "asinhf(x0)");

}  // namespace

const OpDef& asinh() {
  static const OpDef def =
      elementwise<kAsinh>("Asinh", "inverse hyperbolic sine, element by element");
  return def;
}

}  // namespace pet::ops
