// A region as a person would say it.
#pragma once

#include <string>

#include "core/ir/box.h"

namespace pet {

// "row 13 of even images, row 0 of odd images: 1/14 of the output". Axes are called what they are
// in networks of that rank. Empty where there are too many boxes, or axes too long, to say it so.
std::string in_words(const Region& wrong);
// The same without the share.
std::string where_in_words(const Region& wrong);

}  // namespace pet
