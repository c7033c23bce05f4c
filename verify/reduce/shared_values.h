// Which values of two programs are the same. It is found modulo two random primes: what is made of
// it is held against the engines anyway.
#pragma once

#include <optional>
#include <vector>

#include "core/program/equivalence.h"
#include "verify/reduce/pair.h"

namespace pet::reduce {

struct SharedValues {
  // By node of each program: the first value of the original that is the same, of the same type.
  std::vector<std::optional<NodeId>> of_original;
  std::vector<std::optional<NodeId>> of_mutant;
  // By node: an earlier value of the same program with the same elements in the same order, perhaps
  // in another shape.
  std::vector<std::optional<NodeId>> earlier_in_original;
  std::vector<std::optional<NodeId>> earlier_in_mutant;

  bool same(NodeId original, NodeId mutant) const {
    const auto& a = of_original[original.index()];
    return a && a == of_mutant[mutant.index()];
  }
};

// An Error: stopped. Of what cannot be evaluated nothing is known.
Result<SharedValues> shared_values(const Pair& pair, const ProofOptions& options);

}  // namespace pet::reduce
