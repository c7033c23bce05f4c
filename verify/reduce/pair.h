// Two programs that are made smaller together, and the changes that can be made to them.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet::reduce {

struct Pair {
  Graph original;
  Graph mutant;
};

// What gets smaller, the first first. Inputs and constants count once however many programs hold
// them.
struct PairSize {
  std::size_t operators = 0;  // that outputs need, of both programs
  std::size_t outputs = 0;
  Dim elements = 0;           // of inputs and constants
  std::size_t constants = 0;  // of more than one element: what stays open says more
  auto operator<=>(const PairSize&) const = default;
};

PairSize size_of(const Pair& pair);
Digest digest_of(const Pair& pair);

// "input x" or "constant 3f2a...": the same for the same leaf of two programs. REQUIRES: a leaf
std::string leaf_key(const Node& node);

// To one program, whose values are named as they are in it before.
struct Changes {
  std::map<NodeId, NodeId> instead;   // an earlier value, reshaped where it has another shape
  std::map<NodeId, std::string> cut;  // a new input of that name
  std::vector<NodeId> outputs;
};
Changes no_changes(const Graph& program);

// By node: not 0 where an output needs it, or the input in its place, once the changes are made.
std::vector<char> needed_after(const Graph& program, const Changes& changes);

struct PairChanges {
  Changes original;
  Changes mutant;
};

// What neither program needs any more goes. An Error where that makes no program.
Result<Pair> changed(const Pair& pair, const PairChanges& changes);

}  // namespace pet::reduce
