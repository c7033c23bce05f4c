// Ways to take operators out of two programs at once.
#pragma once

#include <vector>

#include "verify/reduce/shared_values.h"

namespace pet::reduce {

// Together: what leaves one program leaves the other at the same place, so that what is at fault
// stays at fault. Freely: from one program alone too.
enum class Leaving { Together, Freely };

// The larger steps first:
//   one output instead of several; what follows the difference cut off, where both programs end
//   alike; what both compute replaced by inputs, all of it or one value, but never a value beside
//   something that it follows from (Freely: even then); a value that an earlier one of the same
//   program holds already; an operator left out, one of its operands in its place.
std::vector<PairChanges> operator_edits(const Pair& pair, const SharedValues& shared,
                                        Leaving leaving);

// The one of them that makes two files ready to be written as a case: constants that both have, or
// everything that both compute, become inputs.
enum class Cut { Constants, Everything };
PairChanges cut_shared(const Pair& pair, const SharedValues& shared, Cut which);

}  // namespace pet::reduce
