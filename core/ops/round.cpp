// Round: to the nearest integer, halves to the even one.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kRound = function_of<[](Real x) { return std::nearbyint(x); }>(
    "round", "rintf(x0)", Totality::Total, Finiteness::MaybeInfinite, Jumps::AtNumbers);

}  // namespace

const OpDef& round() {
  static const OpDef def =
      elementwise<kRound>("Round", "the nearest integer, of two the even one", {}, 11);
  return def;
}

}  // namespace pet::ops
