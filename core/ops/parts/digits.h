// Reading one shape as another with the same number of elements, in mixed-radix digits.
#pragma once

#include <vector>

#include "core/ir/index_expr.h"

namespace pet::ops {

// Index into row-major `from` of the element at a position (axes 0, 1, …) of row-major `to`. Where
// the shapes have common digits every expression is a sum of functions of single axes, else of the
// flat position. REQUIRES: equal counts
std::vector<IndexExpr> reshaped_index(const Shape& from, const Shape& to);

}  // namespace pet::ops
