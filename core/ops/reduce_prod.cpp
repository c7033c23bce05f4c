// ReduceProd: the product of the elements along some axes: of a few exactly that product, of more a
// function of the row.
#include <functional>
#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

constexpr Dim kMostFactorsOfReduceProd = 8;

const ElementFunction kReduceProd{
    .name = "product",
    .totality = Totality::Total,
    .text = "r0",
    .row_text = {{{Fold::Product, "x"}}},
    .value = [](std::span<const double>, const RowState& row,
                std::span<const Real>) { return row.first; },
    .row = [](std::span<const double>, std::span<const Real> row) -> RowState {
      return {std::accumulate(row.begin(), row.end(), Real{1}, std::multiplies{}), 0};
    }};

// The element numbered `flat` of those that are multiplied.
Access factor_of_reduce_prod(const Reduction& over, Dim flat) {
  std::vector<IndexExpr> axes = identity_index(over.out);
  const auto strides = row_major_strides(over.extent);
  for (std::size_t i = 0; i < strides.size(); ++i)
    axes.emplace_back(flat / strides[i] % over.extent[i]);
  Access read = over.read;
  for (IndexExpr& index : read.index) index = index.substitute(axes);
  return read;
}

Result<Meaning> lower_reduce_prod(const Op& op, std::span<const Shape> in) {
  auto over = reduction_of_some(op, in[0]);
  if (!over) return std::move(over).error();
  if (count(over->extent) > kMostFactorsOfReduceProd)
    return function_over(kReduceProd, *std::move(over));
  Term product;
  for (Dim i = 0; i < count(over->extent); ++i)
    product.factors.push_back(factor_of_reduce_prod(*over, i));
  return Meaning{{}, {std::move(over->out), {std::move(product)}}};
}

}  // namespace

const OpDef& reduce_prod() {
  static const OpDef def =
      reduction_def<reduce_prod, kReducedAxesAreAnOperandSince, OfNoAxis::Itself>(
          "ReduceProd", "product of the elements along some axes", lower_reduce_prod);
  return def;
}

}  // namespace pet::ops
