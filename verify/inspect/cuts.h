// Cuts of the region engine as people are told of them.
#pragma once

#include "core/program/inspector.h"
#include "verify/region/cutting.h"

namespace pet {

// One by place, sorted, with all its causes. `of_first`: whose operators program 0 of a cut means;
// program 1 is the mutant.
std::vector<InspectedCut> cuts_of(const std::vector<region::Cut>& cuts, ProgramSide of_first);
InspectedCause cause_of(const region::Cause& cause, ProgramSide side);

}  // namespace pet
