// Attributes that name axes, once the axes stand in another order.
#pragma once

#include <span>

#include "core/ir/attrs.h"
#include "core/ir/shape.h"

namespace pet::ops {

// Where the axes (counted from the end where negative) are found in the new order. REQUIRES: each
// is an axis of it
Ints new_places(const Ints& axes, std::span<const std::size_t> order);
Dim new_place(Dim axis, std::span<const std::size_t> order);

}  // namespace pet::ops
