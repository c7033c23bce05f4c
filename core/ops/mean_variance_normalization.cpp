// MeanVarianceNormalization: (x − mean) / (deviation + 1e-9) of the elements along some axes.
#include <cmath>
#include <numeric>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/rearranged.h"
#include "core/ops/parts/row.h"

namespace pet::ops {
namespace {

RowState mean_and_deviation(std::span<const double>, std::span<const Real> row) {
  const Real number = static_cast<Real>(row.size());
  const Real mean = std::accumulate(row.begin(), row.end(), Real{0}) / number;
  Real squares = 0;
  for (const Real x : row) squares += (x - mean) * (x - mean);
  return {mean, std::sqrt(squares / number)};
}

const ElementFunction kMeanVarianceNormalized{
    .name = "mean_variance_normalized",
    .totality = Totality::Total,
    .text = "(x0 - r0) / (r1 + 1e-9)",
    .row_text = {{{Fold::Sum, "x", "r / n"}, {Fold::Sum, "(x - r0) * (x - r0)", "sqrtf(r / n)"}}},
    .value = [](std::span<const double>, const RowState& row,
                std::span<const Real> x) { return (x[0] - row.first) / (row.second + 1e-9L); },
    .row = mean_and_deviation};

Result<Meaning> lower_mean_variance_normalization(const Op& op, std::span<const Shape> in) {
  const auto axes = normal_axes("MeanVarianceNormalization", op.ints("axes"), in[0].size());
  if (!axes) return axes.error();
  if (axes->empty()) return Error{"MeanVarianceNormalization: no axes", ErrorKind::Unsupported};
  return Meaning{{along_rows(kMeanVarianceNormalized, {}, in[0], *axes)}, read_in_place(1, in[0])};
}

Imported mean_variance_normalization_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"axes"}); !known) return std::move(known).error();
  const auto shape = operand_shape(call, 0);
  if (!shape) return shape.error();
  AttrValue axes = Ints{0, 2, 3};
  if (call.attrs.has("axes")) axes = *call.attrs.find("axes");
  return one_result(mean_variance_normalization(), Attrs{{"axes", std::move(axes)}},
                    {std::size_t{0}});
}

std::optional<Op> rearranged_mean_variance_normalization(const Op& op,
                                                         std::span<const std::size_t> order) {
  Op out = op;
  out.attrs.set("axes", new_places(op.ints("axes"), order));
  return out;
}

}  // namespace

const OpDef& mean_variance_normalization() {
  static const OpDef def{.name = "MeanVarianceNormalization",
                         .summary = "shifted and scaled along some axes to mean 0 and variance 1",
                         .arity = {1, 1},
                         .attrs = {{"axes", Ints{}, AttrRole::Geometry, true}},
                         .since = 9,
                         .lower = lower_mean_variance_normalization,
                         .from_onnx = mean_variance_normalization_from_onnx,
                         .rearranged = rearranged_mean_variance_normalization};
  return def;
}

}  // namespace pet::ops
