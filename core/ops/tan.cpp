// Tan: the tangent, undefined where the cosine is 0.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kTan =
    function_of<[](Real x) { return std::tan(x); }>("tan", "tanf(x0)", Totality::Partial);

}  // namespace

const OpDef& tan() {
  static const OpDef def = elementwise<kTan>("Tan", "tangent, element by element");
  return def;
}

}  // namespace pet::ops
