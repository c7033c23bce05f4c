// Log: the natural logarithm, undefined at 0 and below.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kLog =
    function_of<[](Real x) { return std::log(x); }>("log", "logf(x0)", Totality::Partial);

}  // namespace

const OpDef& log() {
  static const OpDef def = elementwise<kLog>("Log", "natural logarithm, element by element");
  return def;
}

}  // namespace pet::ops
