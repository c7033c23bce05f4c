// Atan: the inverse of the tangent.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kAtan = function_of<[](Real x) { return std::atan(x); }>("atan", "atanf(x0)");

}  // namespace

const OpDef& atan() {
  static const OpDef def = elementwise<kAtan>("Atan", "inverse tangent, element by element");
  return def;
}

}  // namespace pet::ops
