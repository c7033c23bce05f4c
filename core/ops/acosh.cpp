// Acosh: the inverse of the hyperbolic cosine, undefined below 1.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kAcosh =
    function_of<[](Real x) { return std::acosh(x); }>("acosh", "acoshf(x0)", Totality::Partial);

}  // namespace

const OpDef& acosh() {
  static const OpDef def =
      elementwise<kAcosh>("Acosh", "inverse hyperbolic cosine, element by element");
  return def;
}

}  // namespace pet::ops
