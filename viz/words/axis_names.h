// What axes and their digits are called.
#pragma once

#include <string>
#include <vector>

#include "core/ir/box.h"

namespace pet::viz {

// By digit: "n_out", "n_in", "c", "h", "w" of images; "axis 0" where a rank has no usual names.
std::vector<std::string> digit_names(const DigitBasis& basis);

// By axis: "n", "c", "h", "w".
std::vector<std::string> axis_names(std::size_t rank);

// "[8·2, 64, 56, 56]".
std::string shape_in_words(const DigitBasis& basis);

// "0", or "1..54": the last one is held.
std::string range_in_words(Dim low, Dim high);

}  // namespace pet::viz
