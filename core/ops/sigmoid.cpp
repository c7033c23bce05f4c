// Sigmoid: 1 / (1 + e^-x).
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kSigmoid{
    .name = "sigmoid",
    .totality = Totality::Total,
    .value = [](std::span<const double>, const RowState&,
                std::span<const Real> x) { return 1 / (1 + std::exp(-x[0])); },
    .bounded = true};

Result<Meaning> lower_sigmoid(const Op&, std::span<const Shape> in) {
  return pointwise(kSigmoid, {}, in);
}

}  // namespace

const OpDef& sigmoid() {
  static const OpDef def{.name = "Sigmoid",
                         .summary = "1 / (1 + exp(-x)), element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_sigmoid,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
