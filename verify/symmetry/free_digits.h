// Digits that may be permuted in all leaves at once without a change to either program.
#pragma once

#include <vector>

#include "verify/symmetry/digit_program.h"

namespace pet::symmetry {

// What may be done with a digit: nothing, or it is free and stands in the compared values, or it
// is free and summed over.
enum class Freedom { None, Compared, Summed };

struct FreeDigits {
  std::vector<std::vector<Freedom>> of_values;             // by value and digit
  std::vector<std::vector<std::vector<Freedom>>> of_sums;  // by value, term and digit summed over
};

FreeDigits free_digits(const DigitProgram& program);

}  // namespace pet::symmetry
