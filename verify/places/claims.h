// Which values of two programs may be equal: hints. A wrong one costs time.
#pragma once

#include <vector>

#include "core/ir/graph.h"

namespace pet::places {

class Claims {
 public:
  // REQUIRES: both outlive this
  Claims(const Graph& original, const Graph& mutant);

  // What a value of the mutant may be, the likeliest first: what is called so, the same output, what
  // the same operator of that name or the same function in order reads.
  std::vector<NodeId> of(NodeId mine) const;

 private:
  void claim(NodeId theirs, NodeId mine);
  void claim_operands(NodeId theirs, NodeId mine);

  const Graph& original_;
  const Graph& mutant_;
  std::vector<std::vector<NodeId>> claims_;  // by node of the mutant
};

}  // namespace pet::places
