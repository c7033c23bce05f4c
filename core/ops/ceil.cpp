// Ceil: rounded up.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kCeil = function_of<[](Real x) { return std::ceil(x); }>(
    "ceil", "ceilf(x0)", Totality::Total, Finiteness::MaybeInfinite, Jumps::AtNumbers);

}  // namespace

const OpDef& ceil() {
  static const OpDef def =
      elementwise<kCeil>("Ceil", "the smallest integer from x on, element by element");
  return def;
}

}  // namespace pet::ops
