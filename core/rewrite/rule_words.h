// Rules as people read them: "relu(conv2d<padding=SAME>(x, w)) => ...".
#pragma once

#include <string>

#include "core/rewrite/rule.h"

namespace pet::rules {

// Source and target, their results in order; what would be very long is cut.
std::string in_words(const Rule& rule);

}  // namespace pet::rules
