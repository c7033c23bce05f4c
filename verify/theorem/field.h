// The integers modulo a prime below 2^32, and how often a random one hides a difference.
#pragma once

#include <cstdint>
#include <optional>

#include "core/util/rational.h"
#include "core/util/rng.h"
#include "verify/theorem/hypotheses.h"

namespace pet::theorem {

class Field {
 public:
  explicit Field(std::uint64_t prime) : prime_(prime) {}  // REQUIRES: it is one, below 2^32

  std::uint64_t prime() const { return prime_; }
  std::uint64_t add(std::uint64_t a, std::uint64_t b) const { return (a + b) % prime_; }
  std::uint64_t mul(std::uint64_t a, std::uint64_t b) const { return a * b % prime_; }
  // Nothing where the prime divides the denominator.
  std::optional<std::uint64_t> residue(const Rational& x) const;

 private:
  std::uint64_t inverse(std::uint64_t a) const;  // REQUIRES: a != 0

  std::uint64_t prime_;
};

// Independent numbers, each uniform in the field.
class Draws {
 public:
  Draws(const Digest& key, std::uint64_t number) : keys_(key, number) {}
  std::uint64_t in(const Field& field);

 private:
  KeyStream keys_;
  std::vector<std::uint64_t> words_;
};

// The prime of the paper: the same for everybody, and 2^31 is 1 in its field.
inline constexpr std::uint64_t kPublishedPrime = (std::uint64_t{1} << 31) - 1;

// log2 of the chance that a random prime of 30 bits and random inputs hide one difference between
// polynomials of that size.
double log2_miss(const PolynomialSize& size);
// The same as the paper has it: by the number of input tensors, in the field of its prime.
double log2_miss_as_published(std::size_t inputs);

}  // namespace pet::theorem
