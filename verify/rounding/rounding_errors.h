// Rounding may not decide where only values tell what cancels: (x - z)^2 and x^2 - 2xz + z^2 sum
// terms of the same sizes (conditioning.h), yet near x = z nothing is left of the second. Both
// programs are run with drawn errors.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "verify/rounding/noisy_run.h"
#include "verify/rounding/summands.h"
#include "verify/values/equal_tensors.h"
#include "verify/values/pair_code.h"

namespace pet {

struct ErrorGrowth {
  // How much larger the mutant's errors are than the original's, at worst over the drawn inputs and
  // over elements; an element of the original errs by at least one rounding of its value, and one
  // that is always 0 as its channel does. Infinite where the mutant has no finite number and the
  // original has, and where nothing is left of the mutant's and enough of the original's.
  double worst = 1;
  // An output of which the original has no number at any of the inputs: nothing was seen of it.
  std::optional<NodeId> unseen;
};
// `cuts`: by node of the original, the pieces that it was concatenated of, none of which is a
// measure of another's errors.
Result<ErrorGrowth> growth_of_errors(const PairCode& programs,
                                     const std::vector<EqualTensors>& tensors,
                                     const std::vector<Cuts>& cuts, const Digest& seed,
                                     std::size_t threads, const std::stop_token& stop,
                                     const std::function<void(double fraction)>& progress);

}  // namespace pet
