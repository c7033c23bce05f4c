// ReduceLogSumExp: the logarithm of the sum of the exponentials along some axes.
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/reduction.h"
#include "core/ops/parts/softmax.h"

namespace pet::ops {
namespace {

const ElementFunction kReduceLogSumExp{
    .name = "log_of_sum_of_exp",
    .totality = Totality::Total,
    .text = "r0 + logf(r1)",
    .row_text = kLargestAndSumText,
    .value = [](std::span<const double>, const RowState& row,
                std::span<const Real>) { return row.first + std::log(row.second); },
    .row = largest_and_sum};

Result<Meaning> lower_reduce_log_sum_exp(const Op& op, std::span<const Shape> in) {
  auto over = reduction_of_some(op, in[0]);
  if (!over) return std::move(over).error();
  return function_over(kReduceLogSumExp, *std::move(over));
}

}  // namespace

const OpDef& reduce_log_sum_exp() {
  static const OpDef def =
      reduction_def<reduce_log_sum_exp, kReducedAxesAreAnOperandSince, OfNoAxis::ReadInTwoWays>(
          "ReduceLogSumExp", "logarithm of the sum of e^x along some axes",
          lower_reduce_log_sum_exp);
  return def;
}

}  // namespace pet::ops
