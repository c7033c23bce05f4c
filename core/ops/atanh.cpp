// Atanh: the inverse of the hyperbolic tangent, undefined outside of (-1, 1).
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kAtanh =
    function_of<[](Real x) { return std::atanh(x); }>("atanh", "atanhf(x0)", Totality::Partial);

}  // namespace

const OpDef& atanh() {
  static const OpDef def =
      elementwise<kAtanh>("Atanh", "inverse hyperbolic tangent, element by element");
  return def;
}

}  // namespace pet::ops
