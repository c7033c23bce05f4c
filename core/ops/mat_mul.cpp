// MatMul: y[…,m,n] = Σ_k a[…,m,k] · b[…,k,n], the leading axes broadcast. An operand of one axis is
// a row on the left, a column on the right, and its unit axis does not appear in the result.
#include <fmt/format.h>

#include "core/ops/ops.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

Shape leading(const Shape& shape) {
  return shape.size() < 2 ? Shape{} : Shape(shape.begin(), shape.end() - 2);
}

Result<Meaning> lower_mat_mul(const Op&, std::span<const Shape> in) {
  const Shape& a = in[0];
  const Shape& b = in[1];
  if (a.empty() || b.empty()) return Error{"MatMul: an operand has no axes"};
  const Dim depth = a.back();
  if (depth != (b.size() == 1 ? b[0] : b[b.size() - 2])) {
    return Error{fmt::format("MatMul: {} and {} do not fit", to_string(a), to_string(b))};
  }
  if (depth == 0) return sums_over_nothing("MatMul");
  auto out = broadcast(leading(a), leading(b));
  if (!out)
    return Error{fmt::format("MatMul: leading axes of {} and {} do not broadcast", to_string(a),
                             to_string(b))};
  Access left{0, broadcast_index(leading(a), *out)};
  Access right{1, broadcast_index(leading(b), *out)};
  if (a.size() > 1) {
    left.index.push_back(v(out->size()));
    out->push_back(a[a.size() - 2]);
  }
  const std::size_t n = out->size();
  if (b.size() > 1) out->push_back(b.back());
  const IndexExpr k = v(out->size());
  left.index.push_back(k);
  right.index.push_back(k);
  if (b.size() > 1) right.index.push_back(v(n));
  Term products{
      .coef = {}, .reduce = {depth}, .guards = {}, .factors = {std::move(left), std::move(right)}};
  return Meaning{{}, {*std::move(out), {std::move(products)}}};
}

}  // namespace

const OpDef& mat_mul() {
  static const OpDef def{.name = "MatMul",
                         .summary = "matrix product over the last two axes, the others broadcast",
                         .arity = {2, 2},
                         .attrs = {},
                         .lower = lower_mat_mul,
                         .affine_in_sizes = with_any_attributes};
  return def;
}

}  // namespace pet::ops
