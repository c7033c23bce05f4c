// Random programs in which sources of rules stand, among other operators.
#pragma once

#include "core/ir/graph.h"
#include "core/rewrite/rule.h"
#include "core/util/rng.h"

namespace pet::fuzz {

// The sources of these rules at drawn sizes, one behind the other where shapes allow it, over
// inputs and functions of them. Every value has a name. Nothing where no sizes are found.
std::optional<Graph> program_around(const std::vector<const rules::Rule*>& rules, Rng& rng);

}  // namespace pet::fuzz
