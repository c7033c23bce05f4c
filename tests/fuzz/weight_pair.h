// A random program over weights and inputs, and a second one that computes with the same weights in
// another way.
#pragma once

#include "tests/fuzz/pair.h"

namespace pet::fuzz {

// `mutant` is not folded yet. A function of the seed alone.
Pair random_weight_pair(std::uint64_t seed);

}  // namespace pet::fuzz
