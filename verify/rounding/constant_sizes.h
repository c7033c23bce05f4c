// Sizes of sums of constants, which are the same in whatever way inputs and results of functions
// count: found in one run over a program, known in the next.
#pragma once

#include <map>
#include <vector>

#include "verify/rounding/sizes.h"

namespace pet {

class ConstantSizes {
 public:
  explicit ConstantSizes(const Graph& graph);

  // What a run has to visit, by node, so that keep() hears of all that it computes for others.
  std::vector<char> wanted_beside(std::vector<char> others, const SizeRun& run) const;
  void keep(const SizeRun& run, NodeId id, const Sizes& sizes);

  void add_to(std::vector<char>& known) const;
  // Null where nothing was kept.
  const Sizes* of(NodeId id) const;

 private:
  std::vector<char> wanted_;  // sums of constants alone that something else reads
  std::map<NodeId, Sizes> found_;
};

}  // namespace pet
