// ReduceSumSquare: the sum of the squares along some axes.
#include "core/ops/ops.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_reduce_sum_square(const Op& op, std::span<const Shape> in) {
  auto over = reduction_of_some(op, in[0]);
  if (!over) return std::move(over).error();
  Term squares{.coef = {},
               .reduce = std::move(over->extent),
               .guards = {},
               .factors = {over->read, over->read}};
  return Meaning{{}, {std::move(over->out), {std::move(squares)}}};
}

}  // namespace

const OpDef& reduce_sum_square() {
  static const OpDef def =
      reduction_def<reduce_sum_square, kReducedAxesAreAnOperandSince, OfNoAxis::ReadInTwoWays>(
          "ReduceSumSquare", "sum of the squares along some axes", lower_reduce_sum_square);
  return def;
}

}  // namespace pet::ops
