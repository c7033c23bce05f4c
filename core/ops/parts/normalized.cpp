#include "core/ops/parts/normalized.h"

#include <cmath>
#include <numeric>

#include "core/ops/parts/onnx_form.h"

namespace pet::ops {

RowState mean_and_inverse_deviation(std::span<const double> parameters, std::span<const Real> row) {
  const Real number = static_cast<Real>(row.size());
  const Real mean = std::accumulate(row.begin(), row.end(), Real{0}) / number;
  Real squares = 0;
  for (const Real x : row) squares += (x - mean) * (x - mean);
  return {mean, 1 / std::sqrt(squares / number + static_cast<Real>(parameters[0]))};
}

const ElementFunction& normalized_function() {
  static const ElementFunction function{
      .name = "normalized",
      .totality = Totality::Partial,
      .text = "(x0 - r0) * r1",
      .row_text = kMeanAndInverseDeviationText,
      .value = [](std::span<const double>, const RowState& row,
                  std::span<const Real> x) { return (x[0] - row.first) * row.second; },
      .row = mean_and_inverse_deviation};
  return function;
}

IndexedSum scaled_and_shifted(const Shape& shape, int normalized, const ScaleAndBias& by) {
  IndexedSum sum{shape, {}};
  sum.terms.push_back({.coef = {},
                       .reduce = {},
                       .guards = {},
                       .factors = {{normalized, identity_index(shape)}, {1, by.scale}}});
  if (by.bias)
    sum.terms.push_back({.coef = {}, .reduce = {}, .guards = {}, .factors = {{2, *by.bias}}});
  return sum;
}

Status stashes_floats(const OnnxCall& call) {
  constexpr std::int64_t kFloat = 1;
  const auto stash_type = integer_or(call, "stash_type", kFloat);
  if (!stash_type) return stash_type.error();
  if (*stash_type == kFloat) return Done{};
  return Error{call.op_type + ": stash_type is not float", ErrorKind::Unsupported};
}

}  // namespace pet::ops
