// Whether two operators compute the same, however their attributes are spelled.
#pragma once

#include "core/ir/meaning.h"

namespace pet {

// The same result of the same operands, part for part: what is written otherwise counts as other.
bool is_same_meaning(const Meaning& a, const Meaning& b);

}  // namespace pet
