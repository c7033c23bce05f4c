// Index expressions over axes of known extents, made simpler: digits that a chain of views takes
// apart and puts together again become the axis that they were.
#pragma once

#include <span>
#include <vector>

#include "core/ir/index_expr.h"
#include "core/ir/meaning.h"

namespace pet::gpu {

// Equal at every position of those extents.
IndexExpr simplified(const IndexExpr& e, std::span<const Dim> extents);

// Where in the row-major elements of a tensor of that shape.
IndexExpr offset_of(std::span<const IndexExpr> index, const Shape& shape,
                    std::span<const Dim> extents);

// What must hold so that an index stays inside of that shape; what always holds is left out.
std::vector<Guard> guards_inside(std::span<const IndexExpr> index, const Shape& shape,
                                 std::span<const Dim> extents);

// Those of the guards that some position breaks.
std::vector<Guard> needed_guards(std::span<const Guard> guards, std::span<const Dim> extents);

// Whether an index into a tensor of that very shape is the position itself.
bool is_in_place(std::span<const IndexExpr> index, const Shape& shape);

// Whether the expression is the row-major number of the position itself.
bool is_position(const IndexExpr& e, const Shape& extents);

}  // namespace pet::gpu
