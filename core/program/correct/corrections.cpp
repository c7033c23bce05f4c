#include "core/program/correct/corrections.h"

#include "core/program/correct/fused.h"
#include "core/program/correct/recompute.h"

namespace pet {

std::vector<Correction> corrections(const Graph& original, const Graph& mutant,
                                    const Region& wrong) {
  return {
      {"corrected by recomputing", recompute(original, mutant, wrong)},
      {"corrected in the batch of the main operator", fuse_correction(original, mutant, wrong)}};
}

}  // namespace pet
