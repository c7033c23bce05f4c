// Softplus: log(1 + e^x).
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

// Without an exponential that overflows.
const ElementFunction kSoftplus{
    .name = "softplus",
    .totality = Totality::Total,
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) {
      return x[0] > 0 ? x[0] + std::log1p(std::exp(-x[0])) : std::log1p(std::exp(x[0]));
    }};

Result<Meaning> lower_softplus(const Op&, std::span<const Shape> in) {
  return pointwise(kSoftplus, {}, in);
}

}  // namespace

const OpDef& softplus() {
  static const OpDef def{.name = "Softplus",
                         .summary = "log(1 + e^x), element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_softplus,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
