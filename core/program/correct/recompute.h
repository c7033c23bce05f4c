// Repairing a mutant where it is wrong (PET, section 5.3; theory: section 7): the original
// operators run on what the differing boxes read, and their results are written over the mutant's.
#pragma once

#include "core/ir/box.h"
#include "core/ir/graph.h"
#include "core/program/correct/roles.h"
#include "core/util/result.h"

namespace pet {

// The mutant with the boxes of `wrong` (a region of its only output) recomputed by `original`. An
// error where a box is not regular enough to be computed apart, or where an operator cannot be run
// on a piece of its operand.
// `roles`: of its nodes, where somebody asks.
Result<Graph> recompute(const Graph& original, const Graph& mutant, const Region& wrong,
                        CorrectionRoles* roles = nullptr);

}  // namespace pet
