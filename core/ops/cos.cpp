// Cos: the cosine.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kCos = function_of<[](Real x) { return std::cos(x); }>("cos", "cosf(x0)");

}  // namespace

const OpDef& cos() {
  static const OpDef def = elementwise<kCos>("Cos", "cosine, element by element");
  return def;
}

}  // namespace pet::ops
