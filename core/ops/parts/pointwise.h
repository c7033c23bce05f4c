// Operators that apply one element function to broadcast operands.
#pragma once

#include <span>
#include <vector>

#include "core/ir/meaning.h"
#include "core/util/result.h"

namespace pet::ops {

// The common shape of operands under broadcasting.
Result<Shape> broadcast_all(std::span<const Shape> operands);

// function(operands...) at every position of their common shape.
Result<Meaning> pointwise(const ElementFunction& function, std::vector<double> parameters,
                          std::span<const Shape> operands);

// An application of `function` to operand `operand` itself, element by element.
Application applied_to(const ElementFunction& function, std::vector<double> parameters, int operand,
                       const Shape& shape);

// 1/x, shared by Reciprocal and Div so that both mean the same function.
const ElementFunction& reciprocal_function();

}  // namespace pet::ops
