#include "core/ops/parts/extreme.h"

#include <functional>
#include <limits>

namespace pet::ops {
namespace {

constexpr auto kLargestFloat = static_cast<Real>(std::numeric_limits<float>::max());

Real first_of(std::span<const double>, const RowState& row, std::span<const Real>) {
  return row.first;
}

}  // namespace

const ElementFunction& largest_function() {
  static const ElementFunction function{
      .name = "largest",
      .totality = Totality::Total,
      .text = "r0",
      .row_text = {{{Fold::Largest, "x"}}},
      .value = first_of,
      .row = [](std::span<const double>, std::span<const Real> window) -> RowState {
        return {extreme(-kLargestFloat, window, std::greater{}), 0};
      },
      .at_infinity = Finiteness::MaybeInfinite};
  return function;
}

const ElementFunction& smallest_function() {
  static const ElementFunction function{
      .name = "smallest",
      .totality = Totality::Total,
      .text = "r0",
      .row_text = {{{Fold::Smallest, "x"}}},
      .value = first_of,
      .row = [](std::span<const double>, std::span<const Real> window) -> RowState {
        return {extreme(kLargestFloat, window, std::less{}), 0};
      },
      .at_infinity = Finiteness::MaybeInfinite};
  return function;
}

}  // namespace pet::ops
