// What sizes at ordinary inputs (conditioning.h) do not tell of rounding, so that both programs
// have to be run (rounding_errors.h).
#pragma once

#include "verify/rounding/summands.h"
#include "verify/values/value_table.h"

namespace pet {

// Whether some output of the mutant needs a sum that may cancel, such as the same output of the
// original does not need: over products of computed numbers, or over several tensors. Which sums
// are alike is read off what is summed: what is moved, summed alone, or multiplied by constants
// counts as the tensor it is made of, so that another layout or another form of a convolution makes
// no other sums.
// REQUIRES: as many outputs
bool may_cancel_unseen(const SumsOfProgram& original, const SumsOfProgram& mutant);

// Whether some output of the mutant needs more sums over one thing with both signs, `3x - 2x` or a
// rotation, than the same output of the original does. Fast convolutions have some.
// REQUIRES: as many outputs
bool may_cancel_in_one(const SumsOfProgram& original, const SumsOfProgram& mutant);

// Whether the mutant multiplies in its own way so many computed numbers that products of ordinary
// ones may leave the floats.
// REQUIRES: every node of the mutant has its value
bool has_high_powers(const SumsOfProgram& sums, const Graph& mutant, const ValueTable& table);

// Far: those that are far larger than ordinary numbers. What the original adds may be as large, and
// hide it.
enum class OwnConstants { All, Far };

// Whether the mutant computes in its own way with constants that are none of the original's, nor
// -1, 0 or 1.
// REQUIRES: every node of the mutant has its value
bool has_own_constants(const Graph& original, const Graph& mutant, const ValueTable& table,
                       OwnConstants which);

// Whether the mutant applies a function that is not defined everywhere to what it sums in its own
// way: where the original has a 0, rounding may leave less.
// REQUIRES: every node of the mutant has its value
bool may_leave_domain(const Graph& mutant, const ValueTable& table);

}  // namespace pet
