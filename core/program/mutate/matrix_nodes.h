// Constant matrices of an algorithm inside a program: those that floats hold exactly, and those
// that only a weight program can have as a factor.
#pragma once

#include <span>

#include "core/ir/builder.h"
#include "core/program/mutate/bilinear.h"

namespace pet::mutation {

// An Error where an element is no float.
Result<NodeId> float_matrix(GraphBuilder& b, const Matrix& matrix);
Result<NodeId> float_tensor_node(GraphBuilder& b, Shape shape, std::span<const Rational> values);

// Any rationals, exactly: floats divided by odd numbers as means over zeros, so that nothing but
// sums and products of numbers is in the program.
Result<NodeId> rational_matrix(GraphBuilder& b, const Matrix& matrix);

// The taps along one axis of a weight, combined into points.
struct TapCombination {
  std::size_t axis = 0;
  Matrix matrix;  // [points × taps]
};

// [points…, rest…] of a weight, the combined axes taken out: one product with one constant matrix.
Result<NodeId> combined_taps(GraphBuilder& b, NodeId weight,
                             std::span<const TapCombination> combinations);

}  // namespace pet::mutation
