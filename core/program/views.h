// Layout operators, put into a program under construction: what mutants and corrections are glued
// together with. Each returns its operand where there is nothing to do.
#pragma once

#include <span>
#include <vector>

#include "core/ir/builder.h"

namespace pet::views {

Result<NodeId> reshape(GraphBuilder& b, NodeId x, const Shape& shape);
Result<NodeId> transpose(GraphBuilder& b, NodeId x, const std::vector<std::size_t>& order);
// Elements low, low + step, …, `count` of them, along one axis.
Result<NodeId> slice(GraphBuilder& b, NodeId x, std::size_t axis, Dim low, Dim count, Dim step = 1);
Result<NodeId> pad(GraphBuilder& b, NodeId x, std::size_t axis, Dim before, Dim after);
Result<NodeId> concat(GraphBuilder& b, std::span<const NodeId> parts, std::size_t axis);

// Splits axis `from` into (extent/factor, factor) and merges the inner part in front of axis `to`:
// pieces that lay side by side along `from` are stacked along `to` (PET's N2H). unstack() is its
// inverse. REQUIRES: factor divides the extent
Result<NodeId> stack(GraphBuilder& b, NodeId x, std::size_t from, std::size_t to, Dim factor);
Result<NodeId> unstack(GraphBuilder& b, NodeId x, std::size_t from, std::size_t to, Dim factor);

}  // namespace pet::views
