// How far constants that somebody else computed in advance are from what their programs yield:
// whether that is rounding.
#pragma once

#include <stop_token>

#include "verify/weights/unfolding.h"

namespace pet {

// Of every element of the folded constants the distance between the stored float and the program's
// value over the reals, in units in the last place (ulp, of a float) of the sum of the absolute
// values of all that is added up there: terms may cancel, and what floats lose is a share of the
// terms. The worst of all; infinite where a value is none. A fold computed in floats, in whatever
// order, rounds a few times: a scale, a square root, a quotient, a product and two sums are half a
// unit off each.
Result<double> worst_fold(const Unfolded& mutant, std::size_t threads, const std::stop_token& stop);
}  // namespace pet
