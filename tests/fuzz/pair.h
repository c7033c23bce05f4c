// A random program and a second one that may or may not be the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "core/util/digest.h"

namespace pet::fuzz {

struct Pair {
  Graph original;
  Graph mutant;
  bool rich = false;               // element functions, opaque operators, several outputs
  std::vector<std::string> steps;  // what was done, for people
};

// A function of the seed alone.
Pair random_pair(std::uint64_t seed);

// Of a program without its identities, and with every chain of operators that only rearrange
// elements replaced by the rearrangement: an inverse pair of them leaves no trace.
Digest digest_without_views(const Graph& graph);

}  // namespace pet::fuzz
