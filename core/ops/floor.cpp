// Floor: rounded down.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kFloor = function_of<[](Real x) { return std::floor(x); }>(
    "floor", "floorf(x0)", Totality::Total, Finiteness::MaybeInfinite, Jumps::AtNumbers);

}  // namespace

const OpDef& floor() {
  static const OpDef def =
      elementwise<kFloor>("Floor", "the largest integer up to x, element by element");
  return def;
}

}  // namespace pet::ops
