// PRelu: x where x is positive, slope·x elsewhere. The slope is broadcast to x, not x to the slope.
#include <fmt/format.h>

#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kPRelu{
    .name = "p_relu",
    .totality = Totality::Total,
    .text = "x0 < 0 ? x1 * x0 : x0",
    .value = [](std::span<const double>, const RowState&, std::span<const Real> x) {
      return x[0] < 0 ? x[1] * x[0] : x[0];
    }};

Result<Meaning> lower_p_relu(const Op&, std::span<const Shape> in) {
  const auto out = broadcast_all(in);
  if (!out || *out != in[0]) {
    return Error{fmt::format("PRelu: a slope of shape {} does not broadcast to {}",
                             to_string(in[1]), to_string(in[0]))};
  }
  return pointwise(kPRelu, {}, in);
}

}  // namespace

const OpDef& p_relu() {
  static const OpDef def{.name = "PRelu",
                         .summary = "x where positive, the second operand times x elsewhere",
                         .arity = {2, 2},
                         .attrs = {},
                         .lower = lower_p_relu,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
