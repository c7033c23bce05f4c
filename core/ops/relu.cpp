// Relu: max(x, 0). What is no number stays none.
#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kRelu = function_of<[](Real x) { return x < 0 ? Real{0} : x; }>(
    "relu", "x0 < 0 ? 0 : x0", Totality::Total, Finiteness::MaybeInfinite);

}  // namespace

const OpDef& relu() {
  static const OpDef def = elementwise<kRelu>("Relu", "max(x, 0), element by element");
  return def;
}

}  // namespace pet::ops
