// What a walk found, in the words of a certificate: pairs of values by the names that files have
// for them.
#pragma once

#include <optional>

#include "core/program/equivalence.h"
#include "verify/places/walk.h"

namespace pet::places {

// In the mutant's order. `walked`: of `viewed`, the original with orders of axes (views.h). Nothing
// where a value has no name, or two have the same.
std::optional<std::vector<ShownPair>> evidence_of(const Graph& original, const Graph& viewed,
                                                  const Graph& mutant, const Walked& walked);

}  // namespace pet::places
