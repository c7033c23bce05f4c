// A place: a piece of both programs between values that were shown to be equal, as a small pair of
// programs with these as free inputs.
#pragma once

#include <vector>

#include "verify/values/value_table.h"

namespace pet::places {

// What a walk through both programs knows at some moment.
struct Sides {
  const Graph& original;
  const Graph& mutant;
  const ValueTable& table;          // REQUIRES: the mutant's node that is cut out has its value
  std::vector<char> varies;         // by node of the original: it follows from more than constants
  std::vector<char> varies_mutant;  // the same of the mutant
  std::vector<char> held;           // by value: the mutant holds it
};

struct Place {
  Graph original;
  Graph mutant;
  std::vector<ValueId> boundary;    // their inputs, in order
  std::vector<NodeId> operators;    // of the whole original, what follows from constants apart
  std::vector<NodeId> replaced_by;  // the same of the whole mutant
};

// Where the original's piece begins: at every value that the mutant holds, too, at those that the
// mutant's piece reads, or at the fewest of these that none of the others follow from.
enum class Extent { Least, AsFarAsRead, Most };

// The piece between what is shown and the claim that `theirs` and `mine` are equal. An Error where
// there is none: it would hold a function of something that is no constant, or an operator without
// a meaning.
Result<Place> cut_out(const Sides& sides, NodeId theirs, NodeId mine, Extent extent);

// Whether a node is a sum of products of what varies, if of anything that does: functions are
// applied to nothing but constants.
bool is_sum_of_products(const Graph& graph, NodeId id, const std::vector<char>& varies);

}  // namespace pet::places
