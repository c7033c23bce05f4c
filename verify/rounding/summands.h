// What the sums of a program are made of: inputs, results of functions, products of these, other
// sums, in whatever layout they stand and whatever constants they are multiplied by. Of what was
// concatenated each piece counts for itself.
#pragma once

#include <set>
#include <vector>

#include "core/ir/graph.h"
#include "core/util/digest.h"

namespace pet {

// What is above counts as that.
inline constexpr int kMostDegree = 3;

// The pieces along one axis that a value was concatenated of.
struct Cuts {
  std::size_t axis = 0;
  std::vector<Dim> ends;  // rising; the last is the extent
};

struct SumsOfProgram {
  // By output: the sums on the way to it that may cancel out of sight of sizes, over products or
  // over several of what they are made of. Equal ones are made of the same.
  std::vector<std::set<Digest>> by_output;
  // By output: those over one thing with both signs, as often as they are there. Sizes see what
  // cancels in them, but not behind a function, nor where it is exact.
  std::vector<std::multiset<Digest>> of_one_by_output;
  // By node: how many computed numbers the largest product multiplies on the way to it.
  std::vector<int> degrees;
  std::vector<Cuts> cuts;  // by node: what it is made of otherwise from there on
};
SumsOfProgram sums_of(const Graph& graph);

// Whether each element of the result is an element of an operand, moved and scaled, or a product.
bool sums_nothing(const Meaning& meaning);

}  // namespace pet
