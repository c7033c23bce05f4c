// A program in which free digits have one or two values left.
#pragma once

#include "verify/symmetry/free_digits.h"

namespace pet::symmetry {

struct Thinned {
  DigitProgram program;
  // By value: digits of which every leaf is 0 at all indices but the first.
  std::vector<std::vector<char>> is_zero_behind_first;
};

// A digit that is compared: its first value alone. One that is summed over: its first value, and a
// second one in place of all others, which counts as often as these are many.
Thinned thinned(DigitProgram program, const FreeDigits& free);

}  // namespace pet::symmetry
