// Sin: the sine.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kSin = function_of<[](Real x) { return std::sin(x); }>("sin", "sinf(x0)");

}  // namespace

const OpDef& sin() {
  static const OpDef def = elementwise<kSin>("Sin", "sine, element by element");
  return def;
}

}  // namespace pet::ops
