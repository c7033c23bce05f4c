// ReduceL2: the root of the sum of the squares along some axes.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

// One function of the row: what is rooted would be a sum of its own.
const ElementFunction kReduceL2{
    .name = "length",
    .totality = Totality::Total,
    .text = "sqrtf(r0)",
    .row_text = {{{Fold::Sum, "x * x"}}},
    .value = [](std::span<const double>, const RowState& row,
                std::span<const Real>) { return std::sqrt(row.first); },
    .row = [](std::span<const double>, std::span<const Real> row) -> RowState {
      Real squares = 0;
      for (const Real x : row) squares += x * x;
      return {squares, 0};
    }};

Result<Meaning> lower_reduce_l2(const Op& op, std::span<const Shape> in) {
  auto over = reduction_of_some(op, in[0]);
  if (!over) return std::move(over).error();
  return function_over(kReduceL2, *std::move(over));
}

}  // namespace

const OpDef& reduce_l2() {
  static const OpDef def =
      reduction_def<reduce_l2, kReducedAxesAreAnOperandSince, OfNoAxis::ReadInTwoWays>(
          "ReduceL2", "root of the sum of the squares along some axes", lower_reduce_l2);
  return def;
}

}  // namespace pet::ops
