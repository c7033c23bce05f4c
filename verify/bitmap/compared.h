// Two programs side by side, their values compared modulo primes: what the mutant computes that has
// the residues of a value of the original is that value. What the bitmap engine goes by, and hands
// out.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "verify/bitmap/residue_comparison.h"
#include "verify/values/equal_tensors.h"
#include "verify/verdict/replay.h"

namespace pet {

class Compared {
 public:
  // Nothing is compared yet. Operators that no output needs are left out. A seed is drawn where the
  // options have none. REQUIRES: both outlive this
  Compared(const Graph& original, const Graph& mutant, const ProofOptions& options);
  Compared(const Compared&) = delete;
  Compared& operator=(const Compared&) = delete;

  const Graph& original() const { return original_; }
  const Graph& mutant() const { return mutant_; }
  const PairCode& code() const { return code_; }
  // The mutant's values as it computes them, none of them joined.
  const ValueTable& computed() const { return computed_; }
  const std::string& seed() const { return seed_; }
  // The same operators on the same operands yield all outputs.
  bool is_one_program() const;

  // Compares all values modulo primes that are drawn by the key. Of an earlier comparison nothing
  // is left but what it marked. An Error where it is stopped, or a prime divides a denominator.
  Status compare(const Digest& key, std::size_t primes);
  // The same of the original's values alone.
  void begin(const Digest& key, std::size_t primes);

  // REQUIRES: of what follows, that compare() was done; residues(): or begin()
  ResidueComparison& residues() const { return *residues_; }
  // By output, what differs; empty where it is one value for both, or its elements are not known.
  Marks& marks() { return marks_; }
  // What the mutant computes in its own way and somebody sees: outputs, and what operators without
  // a meaning of ours read.
  std::vector<EqualTensors> equal_tensors() const;

 private:
  std::optional<Graph> own_original_, own_mutant_;
  const Graph& original_;
  const Graph& mutant_;
  PairCode code_;
  ProofOptions options_;
  const std::string seed_;
  const ValueTable values_;  // of the original
  ValueTable computed_;      // and of the mutant
  std::unique_ptr<ResidueComparison> residues_;
  Marks marks_;
};

}  // namespace pet
