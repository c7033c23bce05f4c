// Are two programs equal at all sizes? Over the reals, and at all positive values of their size
// symbols at which they are programs; what only rounding would decide is not seen.
//
// Both are written out (expansion) at a position that is a symbol too; where an answer depends on
// whether something is at least zero, both cases are gone through. Equal sums of products in every
// case: proved, without probability. Anything else is no answer: this shows no difference.
#pragma once

#include <stop_token>

#include "core/util/result.h"
#include "verify/all_sizes/sized_program.h"

namespace pet::all_sizes {

struct Limits {
  std::size_t cases = 1000;
  std::size_t steps = 5000;  // of writing out, in one case
  std::stop_token stop = {};
};

// Both programs in symbols.
struct SizedPair {
  SizedProgram original;
  SizedProgram mutant;
};
Result<SizedPair> sized_pair(const Family& family, Constants constants);

// Done, or an Error that says why it was not proved.
Status prove_for_all_sizes(const Family& family, const SizedPair& pair, const Limits& limits = {});

}  // namespace pet::all_sizes
