// Two programs proved equal place by place: at a fraction of the price of looking at the whole of
// both, and never with a weaker word. What floats make of it is asked of places, too, and of whole
// programs where these do not tell; where it is not seen that both are defined, or not everything
// was shown, the answer is left to the engines.
#pragma once

#include <optional>

#include "core/program/equivalence.h"

namespace pet::places {

struct Answer {
  // Equal over the reals: equivalent, or unknown for what floats make of it. Nothing: ask the
  // engines.
  std::optional<Verdict> verdict;
  PlacesReport report;
};

Answer prove(const Graph& original, const Graph& mutant, const ProofOptions& options);

}  // namespace pet::places
