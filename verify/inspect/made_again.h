// A mutant made once more, of the same subprogram at other sizes.
#pragma once

#include <functional>
#include <span>
#include <stop_token>

#include "core/ir/graph.h"
#include "core/program/move.h"
#include "core/util/result.h"

namespace pet::inspect {

// What the moves make of the original, with the operators of `like`: the first that is accepted. An
// Error: nothing.
Result<Graph> made_again(const Graph& original, std::span<const Move> moves, const Graph& like,
                         const std::function<bool(const Graph&)>& accepts,
                         const std::stop_token& stop);

}  // namespace pet::inspect
