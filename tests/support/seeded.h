// Randomness that differs from run to run. A test names its seed, so that what failed can be run
// again: CAPTURE(rng.drawn).
#pragma once

#include <cstdint>
#include <random>

#include "core/util/rng.h"

namespace pet::test {

struct Seeded : Rng {
  explicit Seeded(std::uint64_t seed = std::random_device{}()) : Rng(seed), drawn(seed) {}
  std::uint64_t drawn;
};

}  // namespace pet::test
