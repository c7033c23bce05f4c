// Acos: the inverse of the cosine, undefined outside of [-1, 1].
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kAcos =
    function_of<[](Real x) { return std::acos(x); }>("acos", "acosf(x0)", Totality::Partial);

}  // namespace

const OpDef& acos() {
  static const OpDef def = elementwise<kAcos>("Acos", "inverse cosine, element by element");
  return def;
}

}  // namespace pet::ops
