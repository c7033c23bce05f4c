// Which values of two programs may be equal: hints. A wrong one costs time.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "core/ir/graph.h"

namespace pet::places {

// Values of the original and of the mutant that may be equal, whatever order their axes stand in:
// what has the same name, the same outputs, what the same operator of that name or the same
// function in order yields and reads.
std::vector<std::pair<NodeId, NodeId>> suggested_pairs(const Graph& original, const Graph& mutant);

class Claims {
 public:
  // Of an original that has the orders of axes in which the mutant may have values (views.h).
  Claims(const Graph& original, const Graph& mutant);

  // What a value of the mutant may be, the likeliest first.
  const std::vector<NodeId>& of(NodeId mine) const { return claims_[mine.index()]; }

 private:
  std::vector<std::vector<NodeId>> claims_;  // by node of the mutant
};

}  // namespace pet::places
