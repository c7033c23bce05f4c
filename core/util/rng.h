// The two sources of randomness.
//   Rng        seeded and reproducible, for the search and for tests; our own distributions,
//   because those of the
//              standard library differ between implementations
//   KeyStream  cryptographic (ChaCha20 keyed by a digest), for everything a proof rests on
#pragma once

#include <cstdint>
#include <span>

#include "core/util/digest.h"

namespace pet {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();                      // 64 uniform bits (SplitMix64)
  std::uint64_t below(std::uint64_t bound);  // uniform in [0, bound), REQUIRES: bound > 0
  std::int64_t between(std::int64_t low, std::int64_t high);  // uniform in [low, high]
  double uniform();                                           // uniform in [0, 1)
  double normal();                                            // standard normal

 private:
  std::uint64_t state_;
};

class KeyStream {
 public:
  // Streams with different (key, number) are independent.
  KeyStream(const Digest& key, std::uint64_t number) : key_(key), number_(number) {}
  // From the next whole block of 64 bytes on.
  void fill(std::span<std::uint64_t> words);

 private:
  Digest key_;
  std::uint64_t number_;
  std::uint64_t block_ = 0;  // 64-byte blocks already used
};

// 256 bits of entropy from the operating system, as a key.
Digest fresh_entropy();

}  // namespace pet
