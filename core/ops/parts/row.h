// Operators that look at a row, the elements along some axes, to compute each of its elements.
#pragma once

#include "core/ir/meaning.h"

namespace pet::ops {

// `function` of every element of operand 0 and of the row through it along `axes`. The row is a
// multiset. REQUIRES: axes are distinct axes of `shape`
Application along_rows(const ElementFunction& function, std::vector<double> parameters,
                       const Shape& shape, std::span<const Dim> axes);

}  // namespace pet::ops
