// A program that a search made of the whole model, as a plan: what is new in it, place by place.
#pragma once

#include "core/search/search.h"

namespace pet {

// What a program takes by estimate.
using CostOf = std::function<double(const Graph&)>;

// `rewritten` has the model's inputs and outputs, and values keep their names where they still are
// what they were. Each connected part that is new is a choice of its own, told by what it saves by
// estimate where it is made alone, and by those rules of the `way` that changed something in it. An
// Error where it cannot be written into the model's file.
Result<Plan> plan_of(const Graph& original, const Graph& rewritten,
                     const std::vector<move::ApplyRule>& way, const CostOf& cost);

}  // namespace pet
