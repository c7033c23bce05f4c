// Min: the smallest of any number of operands, broadcast.
#include <algorithm>
#include <functional>

#include "core/ops/ops.h"
#include "core/ops/parts/extreme.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kMin{
    .name = "min",
    .totality = Totality::Total,
    .text = "smaller_of(x...)",
    .value = [](std::span<const double>, const RowState&,
                std::span<const Real> x) { return extreme(x[0], x.subspan(1), std::less{}); },
    .at_infinity = Finiteness::MaybeInfinite};

Result<Meaning> lower_min(const Op&, std::span<const Shape> in) { return pointwise(kMin, {}, in); }

std::optional<std::int64_t> smallest_integer(std::span<const std::int64_t> x) {
  return std::ranges::min(x);
}

}  // namespace

const OpDef& min() {
  static const OpDef def{.name = "Min",
                         .summary = "smallest of any number of operands, broadcast",
                         .arity = {1, kAnyNumber},
                         .attrs = {},
                         .lower = lower_min,
                         .affine_in_sizes = with_any_attributes,
                         .on_integers = smallest_integer};
  return def;
}

}  // namespace pet::ops
