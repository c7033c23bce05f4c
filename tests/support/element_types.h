// Which elements the operands of an operator may have, found out by asking it: no second list says
// so.
#pragma once

#include <span>
#include <vector>

#include "core/ir/op.h"

namespace pet::test {

// By operand. Floats alone for operators that say nothing of types, else every combination of
// floats, truth values and integers for which there is a meaning on such shapes.
std::vector<std::vector<DType>> element_types(const Op& op, const std::vector<Shape>& operands);

// Floats where `elements` ends.
TensorType operand_type(const std::vector<Shape>& operands, const std::vector<DType>& elements,
                        std::size_t place);
std::vector<TensorType> operand_types(const std::vector<Shape>& operands,
                                      const std::vector<DType>& elements);

}  // namespace pet::test
