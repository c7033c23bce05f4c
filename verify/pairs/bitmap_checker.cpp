#include "verify/pairs/bitmap_checker.h"

#include <array>

#include "verify/pairs/pair_proof.h"

namespace pet {

Verdict BitmapChecker::check(const Graph& original, const Graph& mutant,
                             const ProofOptions& options) {
  const std::array<Engine*, 1> engines = {&engine_};
  return prove_pair(original, mutant, engines, options);
}

}  // namespace pet
