// Sign: -1, 0 or 1.
#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

// What is no number stays none.
Real sign_of(Real x) {
  if (x > 0) return 1;
  return x < 0 ? -1 : x;
}

const ElementFunction kSign =
    function_of<sign_of>("sign", "x0 > 0 ? 1 : x0 < 0 ? -1 : x0", Totality::Total,
                         Finiteness::MaybeNoNumber, Jumps::AtNumbers);

}  // namespace

const OpDef& sign() {
  static const OpDef def = elementwise<kSign>("Sign", "-1, 0 or 1 as x is negative, 0 or positive");
  return def;
}

}  // namespace pet::ops
