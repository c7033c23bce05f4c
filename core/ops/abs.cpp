// Abs: |x|.
#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {

const OpDef& abs() {
  static const OpDef def =
      elementwise<absolute_function>("Abs", "x without its sign, element by element");
  return def;
}

}  // namespace pet::ops
