// Softsign: x / (1 + |x|).
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/elementwise.h"

namespace pet::ops {
namespace {

const ElementFunction kSoftsign =
    function_of<[](Real x) { return x / (1 + std::abs(x)); }>("softsign");

}  // namespace

const OpDef& softsign() {
  static const OpDef def = elementwise<kSoftsign>("Softsign", "x / (1 + |x|), element by element");
  return def;
}

}  // namespace pet::ops
