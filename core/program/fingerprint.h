// A cheap first look at a mutant: is it equal to the original anywhere? Compares single elements
// modulo a random prime, with inputs and weights as random symbols.
#pragma once

#include <memory>

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

// Compares a program with mutants of it: its values at the positions are computed once. Draws
// everything from the seed. Inputs are matched by name, outputs by position.
class Fingerprinter {
 public:
  // So many positions of every output (all, where it has no more): corners, borders and the
  // interior, which is where padding and seams make a difference; interior ones first, where most
  // mutants are right that are right anywhere.
  Fingerprinter(const Graph& original, std::uint64_t seed, std::size_t positions);
  ~Fingerprinter();

  struct Look {
    std::size_t tested = 0;
    bool agrees = false;  // at the last one that was tested
  };
  // An Error where outputs have different types or one program cannot be evaluated at single
  // points; the latter says nothing against a mutant. look() stops at the first position where both
  // are equal, compare() looks at all of them.
  Result<Look> look(const Graph& mutant) const;
  Result<Fingerprint> compare(const Graph& mutant) const;

 private:
  struct Memory;
  Status is_comparable(const Graph& mutant) const;
  std::unique_ptr<Memory> memory_;
};

// The flat positions it looks at, sorted, each once.
std::vector<Dim> stratified_positions(const Shape& shape, Rng& rng, std::size_t positions);

}  // namespace pet
