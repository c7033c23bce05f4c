// Pools over all spatial axes: all but the first two, which stay with extent 1.
#pragma once

#include "core/ops/parts/reduction.h"

namespace pet::ops {

// An error where there is none.
Result<Ints> spatial_axes(const Op& op, const Shape& shape);
// The reduction that is the pool once the axes stand in that order.
Op over_spatial_axes(const OpDef& reduction, std::span<const std::size_t> order);

}  // namespace pet::ops
