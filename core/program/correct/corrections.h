// The ways to repair a mutant where it is wrong. Each is a candidate with a cost of its own, and
// has to be checked again.
#pragma once

#include <vector>

#include "core/ir/box.h"
#include "core/ir/graph.h"
#include "core/program/correct/roles.h"
#include "core/program/move.h"
#include "core/util/result.h"

namespace pet {

struct Correction {
  CorrectionWay way = CorrectionWay::Recomputing;
  Result<Graph> program;             // An Error says why this way is closed
  std::vector<NodeRole> roles = {};  // by node of the program
  Region repairs = {};               // the wrong boxes as they are computed: roles name them
};

// `wrong`: a region of the mutant's only output.
std::vector<Correction> corrections(const Graph& original, const Graph& mutant,
                                    const Region& wrong);

}  // namespace pet
