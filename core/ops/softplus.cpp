// Softplus: log(1 + e^x).
#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {

const OpDef& softplus() {
  static const OpDef def =
      elementwise<softplus_function>("Softplus", "log(1 + e^x), element by element");
  return def;
}

}  // namespace pet::ops
