// Rounding may not decide (theory: section 6a, check (c)): a program may be equal over the reals
// and yet compute nothing but rounding errors, by adding something huge and taking it away again.
#pragma once

#include <stop_token>

#include "verify/rounding/size_plan.h"

namespace pet {

// How much larger the mutant's sums are than the original's, element by element and at worst over
// outputs and arguments of functions, with constants and coefficients made absolute. A zero of the
// original counts as its channel's smallest sum (where inputs are 1: and as 1 at most). Twice: with
// inputs and results of functions 1, and with inputs 4 and results as large as functions make them
// of arguments of that size. A result that the original has nowhere is infinite (it may be cropped,
// never summed). `worst` is infinity where the mutant's alone is infinite, or leaves the range of
// floats.
struct Growth {
  double worst = 1;
  // Somewhere the sums of both are beyond floats at ordinary inputs: whether the results are, their
  // sizes do not tell.
  bool both_beyond_floats = false;
  // The mutant's own constants lead far from what the original computes with on the way, or from a
  // tensor that both have; or its sums grow far from function to function, though not in between.
  bool strays = false;
};
Result<Growth> growth(const ProvedPair& pair, std::size_t threads, const std::stop_token& stop);

inline constexpr double kLargestGrowth = 65536;

// An element this much smaller than the mean of those beside it is held against that: what is left
// of a function far out is nothing to what it is elsewhere.
inline constexpr double kNothingBeside = 0x1p-4;

}  // namespace pet
