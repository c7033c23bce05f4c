// Tanh: the hyperbolic tangent.
#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {

const OpDef& tanh() {
  static const OpDef def =
      elementwise<tanh_function>("Tanh", "hyperbolic tangent, element by element");
  return def;
}

}  // namespace pet::ops
