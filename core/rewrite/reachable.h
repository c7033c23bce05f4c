// Which rules can ever be applied to a program, by the operators that there are: what no sequence
// of rules can bring about needs no verification and no matching.
#pragma once

#include <vector>

#include "core/ir/graph.h"
#include "core/rewrite/rule.h"

namespace pet::rules {

// In their order. A rule that makes no sense is among them: whoever verifies it says why.
std::vector<const Rule*> reachable(const std::vector<const Rule*>& rules, const Graph& program);

}  // namespace pet::rules
