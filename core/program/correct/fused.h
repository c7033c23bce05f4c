// Repairing a mutant where it is wrong without another operator (PET, section 5.3, Figure 6): what
// the wrong boxes read is laid into windows that join the batch of the operator that the mutant
// runs anyway; its result is taken apart again.
#pragma once

#include "core/ir/box.h"
#include "core/ir/graph.h"
#include "core/program/correct/roles.h"
#include "core/util/result.h"

namespace pet {

// The mutant with the boxes of `wrong` (a region of its only output) computed by its own main
// operator: one that reads the weights of the original's last operator as they are. An error where
// there is none, where it slides otherwise, or where its operand is too short for a box.
// `roles`: of its nodes, where somebody asks.
Result<Graph> fuse_correction(const Graph& original, const Graph& mutant, const Region& wrong,
                              CorrectionRoles* roles = nullptr);

}  // namespace pet
