// Exp: e^x.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kExp = function_of<[](Real x) { return std::exp(x); }>(
    "exp", "expf(x0)", Totality::Total, Finiteness::MaybeInfinite);

}  // namespace

const OpDef& exp() {
  static const OpDef def = elementwise<kExp>("Exp", "exponential, element by element");
  return def;
}

}  // namespace pet::ops
