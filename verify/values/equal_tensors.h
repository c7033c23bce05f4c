// What was found equal of two programs: outputs, what operators without a meaning of ours read, or
// what the mutant computes in its own way.
#pragma once

#include <span>

#include "core/ir/graph.h"

namespace pet {

// Two tensors that are equal over the reals at the elements that `where` does not mark (see Mark);
// empty: at all.
struct EqualTensors {
  NodeId original;
  NodeId mutant;
  std::span<const char> where;
};

}  // namespace pet
