// Erf: the error function.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kErf = function_of<[](Real x) { return std::erf(x); }>(
    "erf", "erff(x0)", Totality::Total, Finiteness::Finite);

}  // namespace

const OpDef& erf() {
  static const OpDef def = elementwise<kErf>("Erf", "error function, element by element");
  return def;
}

}  // namespace pet::ops
