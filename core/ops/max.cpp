// Max: the largest of any number of operands, broadcast.
#include <algorithm>
#include <functional>

#include "core/ops/ops.h"
#include "core/ops/parts/extreme.h"
#include "core/ops/parts/pointwise.h"

namespace pet::ops {
namespace {

const ElementFunction kMax{
    .name = "max",
    .totality = Totality::Total,
    .text = "larger_of(x...)",
    .value = [](std::span<const double>, const RowState&,
                std::span<const Real> x) { return extreme(x[0], x.subspan(1), std::greater{}); },
    .at_infinity = Finiteness::MaybeInfinite};

Result<Meaning> lower_max(const Op&, std::span<const Shape> in) { return pointwise(kMax, {}, in); }

std::optional<std::int64_t> largest_integer(std::span<const std::int64_t> x) {
  return std::ranges::max(x);
}

}  // namespace

const OpDef& max() {
  static const OpDef def{.name = "Max",
                         .summary = "largest of any number of operands, broadcast",
                         .arity = {1, kAnyNumber},
                         .attrs = {},
                         .lower = lower_max,
                         .affine_in_sizes = with_any_attributes,
                         .on_integers = largest_integer};
  return def;
}

}  // namespace pet::ops
