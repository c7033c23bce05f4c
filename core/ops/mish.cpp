// Mish: x times tanh(log(1 + e^x)). Exactly that product, so that a file which spells it out means
// the same.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_mish(const Op&, std::span<const Shape> in) {
  return Meaning{
      {applied_to(softplus_function(), {}, 0, in[0]), applied_to(tanh_function(), {}, 1, in[0])},
      product_in_place({0, 2}, in[0])};
}

}  // namespace

const OpDef& mish() {
  static const OpDef def{.name = "Mish",
                         .summary = "x times tanh(log(1 + e^x)), element by element",
                         .arity = {1, 1},
                         .attrs = {},
                         .since = 18,
                         .lower = lower_mish,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
