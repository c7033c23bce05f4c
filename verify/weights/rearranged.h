// Constants that are other constants with their elements elsewhere, as tools that rewrite files
// leave them: transposed for a Gemm, grouped otherwise, several in one, a piece of one.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/ir/builder.h"

namespace pet {

// `wanted`, to the last bit, as an expression over `sources` that moves elements and does nothing
// else: one source reshaped, transposed, or both; a piece of one along an axis; several side by
// side. Nothing where none is found. REQUIRES: all are of floats, and have elements
std::optional<NodeId> rearranged(GraphBuilder& b, const Tensor& wanted,
                                 std::span<const std::shared_ptr<const Tensor>> sources);

}  // namespace pet
