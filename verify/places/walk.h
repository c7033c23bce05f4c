// Both programs in topological order, with the pairs of values that are shown to be equal: by the
// same operator on shown pairs, or by a place. Evidence uses only pairs that were shown before.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program/equivalence.h"
#include "verify/places/place.h"

namespace pet::places {

struct ShownPlace {
  NodeId original;
  NodeId mutant;
  Place place;
  std::string by;         // an engine's name
  double log2_error = 0;  // as Verdict::log2_error
  std::size_t primes = 0;
};

// A claim that nothing showed, between boundary values that are.
struct OpenPlace {
  NodeId original;
  NodeId mutant;
  Place place;
};

// What was not the same operator on the same values, and was shown to be equal all the same.
struct Join {
  NodeId original;
  NodeId mutant;
  std::vector<ValueId> from;  // what it was shown from
};

struct Walked {
  ValueTable table;          // a value of the mutant that was shown is the original's
  std::size_t numbered = 0;  // nodes of the mutant that have a value in the table
  bool all = false;          // every output is shown
  std::vector<ShownPlace> places;
  std::vector<Join> joins;        // in the mutant's order
  std::optional<OpenPlace> open;  // the first without which nothing follows, where there is one
};

// REQUIRES: equal inputs and outputs; neither program has operators that no output needs; a seed to
// draw from. An Error where it was stopped.
Result<Walked> walk(const Graph& original, const Graph& mutant, const ProofOptions& options);

// Whether the mutant may hold a number of the original twice, rounded in two ways: over the reals
// the two are one. `table`: every node of the mutant has its value.
bool may_round_twice(const Graph& original, const Graph& mutant, const Walked& walked);

}  // namespace pet::places
