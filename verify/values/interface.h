// What two programs must have in common before they can be compared at all.
#pragma once

#include <string>

#include "core/ir/graph.h"

namespace pet {

// Inputs by name, outputs by position, with their types; the first difference in words. Empty where
// they agree.
std::string interface_mismatch(const Graph& a, const Graph& b);

}  // namespace pet
