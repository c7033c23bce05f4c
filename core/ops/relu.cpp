// Relu: max(x, 0).
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kRelu{
    .name = "relu",
    .totality = Totality::Total,
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) {
      return x[0] < 0 ? 0 : x[0];  // what is no number stays none
    }};

Result<Meaning> lower_relu(const Op&, std::span<const Shape> in) {
  return pointwise(kRelu, {}, in);
}

}  // namespace

const OpDef& relu() {
  static const OpDef def{.name = "Relu",
                         .summary = "max(x, 0), element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .lower = lower_relu,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
