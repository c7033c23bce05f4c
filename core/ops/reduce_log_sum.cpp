// ReduceLogSum: the logarithm of the sum along some axes, undefined where that is not positive.
#include <cmath>
#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

const ElementFunction kReduceLogSum{
    .name = "log_of_sum",
    .totality = Totality::Partial,
    .text = "logf(r0)",
    .row_text = {{{Fold::Sum, "x"}}},
    .value = [](std::span<const double>, const RowState& row,
                std::span<const Real>) { return std::log(row.first); },
    .row = [](std::span<const double>, std::span<const Real> row) -> RowState {
      return {std::accumulate(row.begin(), row.end(), Real{0}), 0};
    }};

Result<Meaning> lower_reduce_log_sum(const Op& op, std::span<const Shape> in) {
  auto over = reduction_of_some(op, in[0]);
  if (!over) return std::move(over).error();
  return function_over(kReduceLogSum, *std::move(over));
}

}  // namespace

const OpDef& reduce_log_sum() {
  static const OpDef def =
      reduction_def<reduce_log_sum, kReducedAxesAreAnOperandSince, OfNoAxis::ReadInTwoWays>(
          "ReduceLogSum", "logarithm of the sum along some axes", lower_reduce_log_sum);
  return def;
}

}  // namespace pet::ops
