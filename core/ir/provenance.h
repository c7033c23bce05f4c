// What became of a program's nodes when another program was made of it, as a plain value that can
// be handed on: both programs' nodes by their ids.
#pragma once

#include <vector>

#include "core/ir/graph.h"

namespace pet {

// These nodes of the one became those of the other: a copied node its copy; a rewritten place all
// that was made for it. Both in order, each node once. A node of the new program may have become of
// several such places, where they turned out to compute the same.
struct Became {
  std::vector<NodeId> before;
  std::vector<NodeId> after;

  bool operator==(const Became&) const = default;
};

// In order of the first node before; no node of the old program stands in two. What stands in none
// was left out.
using Provenance = std::vector<Became>;

// A program made of another one.
struct Rewritten {
  Graph program;
  Provenance became;
};

}  // namespace pet
