// ReduceL1: the sum of the absolute values along some axes.
#include "core/ops/ops.h"
#include "core/ops/parts/pointwise.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_reduce_l1(const Op& op, std::span<const Shape> in) {
  auto over = reduction_of_some(op, in[0]);
  if (!over) return std::move(over).error();
  over->read.operand = 1;
  Term sizes{.coef = {},
             .reduce = std::move(over->extent),
             .guards = {},
             .factors = {std::move(over->read)}};
  return Meaning{{applied_to(absolute_function(), {}, 0, in[0])},
                 {std::move(over->out), {std::move(sizes)}}};
}

}  // namespace

const OpDef& reduce_l1() {
  static const OpDef def =
      reduction_def<reduce_l1, kReducedAxesAreAnOperandSince, OfNoAxis::ReadInTwoWays>(
          "ReduceL1", "sum of the absolute values along some axes", lower_reduce_l1);
  return def;
}

}  // namespace pet::ops
