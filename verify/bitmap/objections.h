// Why "equal" would be no promise although residues agree: the mutant may be undefined where the
// original is not (domain.h, comparisons.h), or only rounding would decide (conditioning.h,
// rounding_errors.h).
#pragma once

#include "verify/rounding/size_plan.h"
#include "verify/verdict/replay.h"

namespace pet {

// What a comparison of residues found.
struct Found {
  const PairCode& programs;
  const ValueTable& computed;  // the mutant's values as it computes them, none of them joined
  const std::vector<OutputVerdict>& outputs;
  const Marks& marks;  // by output
  const std::string& proof_seed;
  const ProofOptions& options;
};

struct Objection {
  std::string reason;  // empty where there is none
  double growth = 1;   // of sums, as far as they were looked at
};

// Whether drawn errors may tell what sizes did not.
// REQUIRES: every node of the mutant has its value
bool needs_drawn_errors(const Graph& original, const Graph& mutant, const ValueTable& table);

// REQUIRES: every node of the mutant has its value in the pair's table
Result<std::string> objection_to_domain(const Found& found, const ValueTable& table,
                                        ResidueStore& store);
Result<Objection> objection_to_all(const Found& found, const ProvedPair& pair);

}  // namespace pet
