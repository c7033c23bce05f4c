// One comparison of two programs modulo primes of its own, drawn by a key: whatever the mutant
// computes that has the residues of a value of the original is that value.
#pragma once

#include <vector>

#include "core/program/equivalence.h"
#include "verify/values/original_values.h"
#include "verify/values/residue_store.h"

namespace pet {

class ResidueComparison {
 public:
  // `original`: the values of the original. REQUIRES: code and options outlive this
  ResidueComparison(const PairCode& code, const ValueTable& original, const Digest& key,
                    std::size_t primes, const ProofOptions& options);

  ResidueComparison(const ResidueComparison&) = delete;
  ResidueComparison& operator=(const ResidueComparison&) = delete;

  // Walks the mutant. An Error where it is stopped, or a prime divides a denominator.
  Status run();

  // Marks the elements of an output that differ (Mark::Undecided); none where the output is one
  // value for both. REQUIRES: run() is done, and the output's shape is known in both
  Status mark(std::size_t output, std::vector<char>& marked);

  ValueTable& table() { return table_; }
  ResidueStore& store() { return store_; }
  const ResidueEvaluator& evaluator() const { return evaluator_; }
  OriginalValues& originals() { return originals_; }

 private:
  const PairCode& code_;
  const ProofOptions& options_;
  ValueTable table_;
  ResidueEvaluator evaluator_;
  ResidueStore store_;
  OriginalValues originals_;
};

}  // namespace pet
