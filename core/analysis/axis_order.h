// Orders of axes: what a transpose does, as a value. An order lists, place by place, which axis of
// the tensor stands there: transposing x by `order` makes axis i of the result axis order[i] of x.
#pragma once

#include <cstddef>
#include <vector>

#include "core/ir/shape.h"

namespace pet {

using AxisOrder = std::vector<std::size_t>;

AxisOrder identity_order(std::size_t rank);
bool is_identity(const AxisOrder& order);
// Transposing by `first` and the result by `then`, at once.
AxisOrder composed(const AxisOrder& first, const AxisOrder& then);
AxisOrder inverse(const AxisOrder& order);
Shape reordered(const Shape& shape, const AxisOrder& order);
// Transposing a tensor of this shape moves no element: only axes of one position change places.
bool moves_nothing(const Shape& shape, const AxisOrder& order);
// The one order that stands for all that put the elements of such a tensor into the same sequence:
// axes of one position stay in their places.
AxisOrder canonical_order(const Shape& shape, const AxisOrder& order);

}  // namespace pet
