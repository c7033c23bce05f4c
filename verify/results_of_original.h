// Which results of functions the mutant has from the original, in whatever layout.
#pragma once

#include <optional>

#include "verify/size_plan.h"

namespace pet {

class ResultsOfOriginal {
 public:
  // `as_original`: by node of the mutant, whether it sums what the original sums, from the last
  // functions on. An error where it was stopped, or where residues are too many for the memory.
  static Result<ResultsOfOriginal> find(const ProvedPair& pair,
                                        const std::vector<char>& as_original);

  // A node of the original that has all elements of this one, the same for all nodes that share
  // any. Nothing where an element is nowhere in the original, or where the mutant rounds otherwise
  // what is here twice.
  std::optional<NodeId> holder(NodeId mine) const;

 private:
  using Slots = std::vector<Counterparts::Slot>;

  explicit ResultsOfOriginal(const ProvedPair& pair);
  Status look(const std::vector<char>& as_original);
  // Of a mutant that rounds what it is applied to otherwise, here or further up.
  std::vector<NodeId> rounded_otherwise(const std::vector<char>& as_original) const;
  std::uint32_t root(std::uint32_t node) const;

  const ProvedPair* pair_;
  std::vector<std::uint32_t> parents_;  // of the original, by node: a forest of those that share
  std::map<NodeId, std::uint32_t> looked_at_;  // of the mutant
};

}  // namespace pet
