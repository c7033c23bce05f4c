// Two programs proved equal place by place: at a fraction of the price of looking at the whole of
// both, and never with a weaker word. What objections ask of whole programs is asked of them here,
// too; where that, or anything else, takes a look at everything, the answer is left to the engines.
#pragma once

#include <optional>

#include "core/program/equivalence.h"

namespace pet::places {

struct Answer {
  std::optional<Verdict> verdict;  // equivalent; nothing: ask the engines
  PlacesReport report;
};

Answer prove(const Graph& original, const Graph& mutant, const ProofOptions& options);

}  // namespace pet::places
