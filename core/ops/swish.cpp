// Swish: x times the sigmoid of alpha·x. Exactly that product, so that a file which spells it out
// means the same.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kSigmoidOfMultiple{
    .name = "sigmoid_of_multiple",
    .totality = Totality::Total,
    .value = [](std::span<const double> p, const RowState&, std::span<const Real> x) {
      return 1 / (1 + std::exp(-static_cast<Real>(p[0]) * x[0]));
    }};

Result<Meaning> lower_swish(const Op& op, std::span<const Shape> in) {
  const double alpha = op.real("alpha");
  auto gate = alpha == 1 ? applied_to(sigmoid_function(), {}, 0, in[0])
                         : applied_to(kSigmoidOfMultiple, {alpha}, 0, in[0]);
  return Meaning{{std::move(gate)}, product_in_place({0, 1}, in[0])};
}

}  // namespace

const OpDef& swish() {
  static const OpDef def{.name = "Swish",
                         .summary = "x times the sigmoid of alpha times x, element by element",
                         .arity = {1, 1},
                         .attrs = {{"alpha", 1.0, AttrRole::Parameter}},
                         .since = 24,
                         .lower = lower_swish,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
