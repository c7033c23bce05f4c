// Two programs at other sizes: inputs and constants are made smaller along some axes, and what the
// attributes of operators have to become follows from that, or nothing does.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "verify/reduce/pair.h"

namespace pet::reduce {

using LeafAxis = std::pair<std::string, std::size_t>;  // leaf_key() and axis

// Which numbers of attributes are tried first: those that stand there, or those that are as much
// smaller as the axis.
enum class Numbers { AsTheyAre, Scaled };

struct SizeChange {
  Dim from = 0;
  Dim to = 0;
  std::map<LeafAxis, Dim> extents;  // what becomes of these axes
  Numbers first = Numbers::AsTheyAre;
};

// To 1, 2, a half, one less; of all axes of one extent, of all but one, of two, of one, and of all
// that are multiples of each other.
std::vector<SizeChange> size_changes(const Pair& pair);

std::vector<TensorType> output_types(const Graph& program);

enum class Outputs { Agree, MayDiffer };

// An Error where no attributes were found with which both are programs, with outputs of equal types
// where they have to agree.
Result<Pair> resized(const Pair& pair, const SizeChange& change, Outputs outputs);

}  // namespace pet::reduce
