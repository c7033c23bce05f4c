// Whether floats hold what the mutant makes of inputs wherever they hold what the original does.
// Sizes of sums (conditioning.h) tell it unless those of the original are beyond floats themselves
// and only their signs keep its results inside: then both programs are run.
#pragma once

#include <stop_token>
#include <string>

#include "core/util/digest.h"
#include "core/util/result.h"
#include "verify/values/pair_code.h"

namespace pet {

// Where that was not seen to be so, in words; empty where it was, and for outputs behind operators
// without a meaning of ours. Draws inputs of either sign, of each alone, and of 0 and 1 (as masks
// have).
Result<std::string> results_beyond_floats(const PairCode& programs, const Digest& seed,
                                          std::size_t threads, const std::stop_token& stop);

}  // namespace pet
