// Log: the natural logarithm, undefined at 0 and below.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kLog{.name = "log",
                           .totality = Totality::Partial,
                           .value = [](std::span<const double>, const RowState&,
                                       std::span<const Real> x) { return std::log(x[0]); }};

Result<Meaning> lower_log(const Op&, std::span<const Shape> in) { return pointwise(kLog, {}, in); }

}  // namespace

const OpDef& log() {
  static const OpDef def{.name = "Log",
                         .summary = "natural logarithm, element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_log};
  return def;
}

}  // namespace pet::ops
