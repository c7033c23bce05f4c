// Another road to what polynomials say, without a polynomial: where no tensor is a factor of a
// product twice, two programs that agree at all inputs in which each tensor is zero but for at most
// a single 1 are equal (theory: section 6, engine 3).
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/ir/graph.h"

namespace pet {

// By output and element, whether the two agree at all of them. Nothing for programs with element
// functions or operators without a meaning of ours, where a tensor is multiplied by itself, and
// where there is more to do than `most_steps`. REQUIRES: the same interface
std::optional<std::vector<std::vector<char>>> agree_at_one_hot(const Graph& original,
                                                               const Graph& mutant,
                                                               bool bind_weights,
                                                               std::uint64_t most_steps,
                                                               const std::stop_token& stop);

}  // namespace pet
