// The ways to correct a pair that is wrong somewhere: whether each is open, what every operator of
// the corrected program is there for, and what it has to do, as modelled (PET, sections 5.2
// and 5.3, Figure 6).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/cost/analytic.h"
#include "core/program/correct/corrections.h"

namespace pet::viz {

// Operators with one purpose.
struct RepairPart {
  CorrectionRole role = CorrectionRole::Mutant;
  Work work;  // operators that move nothing are none
};

struct RepairWay {
  CorrectionWay way = CorrectionWay::Recomputing;
  std::string closed;                    // why; empty: it is open, and there is a program
  std::shared_ptr<const Graph> program;  // corrected
  std::vector<NodeRole> roles;           // by node of it
  Region repairs;
  std::vector<RepairPart> parts;  // by role, those that there are
  double ms = 0;                  // modelled
};

struct Repair {
  std::string reason;                     // why there is nothing to correct; empty: there are ways
  double original_ms = 0, mutant_ms = 0;  // modelled
  std::vector<RepairWay> ways;
};

// `wrong`: of the only output.
Repair repair_of(const Graph& original, const Graph& mutant, const Region& wrong);

}  // namespace pet::viz
