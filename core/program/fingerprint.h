// A cheap first look at a mutant: is it equal to the original anywhere? Compares single elements
// modulo a random prime, with inputs and weights as random symbols.
#pragma once

#include "core/ir/graph.h"
#include "core/util/result.h"
#include "core/util/rng.h"

namespace pet {

struct Fingerprint {
  std::size_t positions = 0;  // of all outputs together
  std::size_t agree = 0;

  // The only ground on which a mutant may be discarded: a partially equivalent one is right
  // somewhere, and that may be in few places.
  bool all_wrong() const { return positions > 0 && agree == 0; }
};

// Looks at `positions` positions of every output (all, where it has no more): corners, borders and
// the interior, which is where padding and seams make a difference. Inputs are matched by name,
// outputs by position. An Error where the programs have different output shapes or cannot be
// evaluated at single points; that says nothing against a mutant.
Result<Fingerprint> fingerprint(const Graph& original, const Graph& mutant, Rng& rng,
                                std::size_t positions);

// The flat positions it looks at, sorted, each once.
std::vector<Dim> stratified_positions(const Shape& shape, Rng& rng, std::size_t positions);

}  // namespace pet
