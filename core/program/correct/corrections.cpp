#include "core/program/correct/corrections.h"

#include "core/program/correct/fused.h"
#include "core/program/correct/recompute.h"

namespace pet {

std::vector<Correction> corrections(const Graph& original, const Graph& mutant,
                                    const Region& wrong) {
  return {{CorrectionWay::Recomputing, recompute(original, mutant, wrong)},
          {CorrectionWay::InBatch, fuse_correction(original, mutant, wrong)}};
}

}  // namespace pet
