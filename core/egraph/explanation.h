// What made a choice equal to the original: the rules on the way, in order. Applied to the original
// one after another, and none else, they bring the chosen program about (explanation_test holds
// them to that).
#pragma once

#include "core/egraph/costs.h"

namespace pet::egraph {

// Numbers of applications, ascending. REQUIRES: cost_of_choice has accepted the choice
std::vector<std::size_t> way_to(const Program& program, const Extraction& extraction,
                                const Choice& choice);

// The original with these applications alone, each where it was; nothing where one of them finds
// something else there. REQUIRES: `original` is what the program was made of
std::optional<Program> along(const Graph& original, const Program& program,
                             const std::vector<std::size_t>& way, rules::Rewriter& rewriter);

}  // namespace pet::egraph
