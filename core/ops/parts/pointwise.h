// Operators that apply one element function to broadcast operands.
#pragma once

#include <initializer_list>
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

// `factor` times the sum of the operands at every position of their common shape.
Result<Meaning> sum_of_operands(std::span<const Shape> operands, const Rational& factor);

// An application of `function` to operand `operand` itself, element by element.
Application applied_to(const ElementFunction& function, std::vector<double> parameters, int operand,
                       const Shape& shape);

// A function of one number, without parameters.
template <auto kValue>
constexpr ElementFunction function_of(std::string_view name, std::string_view text,
                                      Totality totality = Totality::Total,
                                      Finiteness at_infinity = Finiteness::MaybeNoNumber,
                                      Jumps jumps = Jumps::Nowhere) {
  return {.name = name,
          .totality = totality,
          .text = text,
          .value = [](std::span<const double>, const RowState&,
                      std::span<const Real> x) { return kValue(x[0]); },
          .at_infinity = at_infinity,
          .jumps = jumps};
}

// Functions that several operators apply, so that all of them mean the same one.
const ElementFunction& reciprocal_function();   // 1/x
const ElementFunction& square_root_function();  // undefined for negative numbers
const ElementFunction& absolute_function();     // |x|
const ElementFunction& sigmoid_function();      // 1 / (1 + e^-x)
const ElementFunction& softplus_function();     // log(1 + e^x)
const ElementFunction& tanh_function();

// The product of operands or applications of that shape, read at the position itself.
IndexedSum product_in_place(std::initializer_list<int> operands, const Shape& shape);

}  // namespace pet::ops
