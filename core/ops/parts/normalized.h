// Rows shifted to mean 0 and scaled to variance 1, for normalisations of every shape.
#pragma once

#include "core/ir/op.h"

namespace pet::ops {

// The mean, and 1 / sqrt(variance + epsilon), of which epsilon is the parameter.
RowState mean_and_inverse_deviation(std::span<const double> parameters, std::span<const Real> row);
inline constexpr RowText kMeanAndInverseDeviationText = {
    {{Fold::Sum, "x", "r / n"}, {Fold::Sum, "(x - r0) * (x - r0)", "1 / sqrtf(r / n + p0)"}}};
// (x − mean) · 1 / sqrt(variance + epsilon) of an element and its row.
const ElementFunction& normalized_function();

// Operand 1 and, where it is there, operand 2.
struct ScaleAndBias {
  std::vector<IndexExpr> scale;
  std::optional<std::vector<IndexExpr>> bias;
};
// scale · normalized + bias, where application `normalized` is read in place.
IndexedSum scaled_and_shifted(const Shape& shape, int normalized, const ScaleAndBias& by);

// Unsupported where the attribute stash_type, in which type the node computes, is not float.
Status stashes_floats(const OnnxCall& call);

}  // namespace pet::ops
