// Sigmoid: 1 / (1 + e^-x).
#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {

const OpDef& sigmoid() {
  static const OpDef def =
      elementwise<sigmoid_function>("Sigmoid", "1 / (1 + exp(-x)), element by element");
  return def;
}

}  // namespace pet::ops
