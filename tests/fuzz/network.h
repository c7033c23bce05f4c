// Small networks of random pairs, one behind the other: programs that differ in several places.
#pragma once

#include <cstdint>
#include <optional>

#include "core/ir/graph.h"

namespace pet::fuzz {

struct Network {
  Graph original;
  Graph mutant;
  std::size_t changed = 0;  // pairs of which the second program stands in the mutant
};

// Two to four pairs (pair.h), each of which reads what the one before yields, behind a function.
// Nothing where some of them cannot be joined. A function of the seed alone.
std::optional<Network> random_network(std::uint64_t seed);

}  // namespace pet::fuzz
