// Where both programs are defined, element by element: which results of functions that are not
// defined everywhere an output is made of. Another road to what bitmap/domain says of values that
// are compared: here they are known.
#pragma once

#include <stop_token>

#include "core/util/result.h"
#include "verify/values/value_table.h"

namespace pet::places {

enum class MadeOf { NoMore, MaybeMore, TooLong };

// Whether an output of the mutant is made of a result that the original's is not made of. TooLong:
// of those that were looked at none is, but to look at all takes more than the bitmap engine gives
// to it, which then goes by whole tensors, too. An Error where it was stopped.
// REQUIRES: every node of the mutant has its value, its outputs those of the original
Result<MadeOf> made_of(const Graph& original, const Graph& mutant, const ValueTable& table,
                       const std::stop_token& stop);

}  // namespace pet::places
