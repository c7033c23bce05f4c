// Arithmetic modulo a random 30-bit prime, and the residues of the exact values that a tensor
// program contains.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/util/rational.h"
#include "core/util/rng.h"

namespace pet {

// log2 of the number of primes in (2^29, 2^30), which the error bound of a proof divides by. There
// are pi(2^30) - pi(2^29) = 54400028 - 28192750 = 26207278 of them, counted by a sieve over the
// whole interval.
inline constexpr std::uint64_t kPrimeCount = 26207278;
inline constexpr double kLog2PrimeCount = 24.643464181180708;

// The smallest and the largest of them.
inline constexpr std::uint32_t kSmallestPrime = 536870923;
inline constexpr std::uint32_t kLargestPrime = 1073741789;

bool is_prime(std::uint32_t n);

// The integers modulo a prime 2^29 < p < 2^30. Every residue is fully reduced: in [0, p). Cheap to
// copy.
class PrimeField {
 public:
  explicit PrimeField(std::uint32_t prime);  // REQUIRES: is_prime(prime), 2^29 < prime < 2^30

  std::uint32_t prime() const { return prime_; }

  std::uint32_t reduce(std::uint64_t x) const {
    const auto quotient = static_cast<std::uint64_t>((static_cast<Wide>(x) * reciprocal64_) >> 64);
    const std::uint64_t rest = x - quotient * prime_;  // the quotient is at most one too small
    return static_cast<std::uint32_t>(rest >= prime_ ? rest - prime_ : rest);
  }
  std::uint32_t add(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t sum = a + b;
    return sum >= prime_ ? sum - prime_ : sum;
  }
  std::uint32_t sub(std::uint32_t a, std::uint32_t b) const {
    return a >= b ? a - b : a + prime_ - b;
  }
  std::uint32_t negate(std::uint32_t a) const { return a == 0 ? 0 : prime_ - a; }
  std::uint32_t mul(std::uint32_t a, std::uint32_t b) const {
    return reduce(static_cast<std::uint64_t>(a) * b);
  }
  std::uint32_t pow(std::uint32_t base, std::uint64_t exponent) const;
  std::uint32_t inverse(std::uint32_t a) const;  // REQUIRES: a != 0

  // The exact value of a finite float or double: mantissa * 2^exponent. REQUIRES: std::isfinite(x)
  std::uint32_t residue(double x) const;
  template <std::integral I>
  std::uint32_t residue(I x) const {
    if constexpr (std::signed_integral<I>)
      return residue_signed(static_cast<std::int64_t>(x));
    else
      return reduce(static_cast<std::uint64_t>(x));
  }
  // Nothing when p divides the denominator.
  std::optional<std::uint32_t> residue(const Rational& x) const;

  // Whole tensors. REQUIRES: out.size() == values.size(), every value finite
  void residues(std::span<const float> values, std::span<std::uint32_t> out) const;
  void residues(std::span<const double> values, std::span<std::uint32_t> out) const;

  // For the vector kernels: 2^32 mod p, and floor(2^61 / p), which fits into 32 bits.
  std::uint32_t fold() const { return fold_; }
  std::uint32_t reciprocal61() const { return reciprocal61_; }

 private:
  friend std::vector<PrimeField> draw_primes(KeyStream& keys, std::size_t count);
  PrimeField(std::uint32_t prime, bool known_prime);

  __extension__ using Wide = unsigned __int128;
  // 2^(-1074 + i) is large[i / kStep] * small[i % kStep]: the 2046 finite exponents of a double.
  static constexpr std::size_t kStep = 64;
  static constexpr std::size_t kSteps = 32;
  struct PowersOfTwo {
    std::array<std::uint32_t, kSteps> large;
    std::array<std::uint32_t, kStep> small;
  };

  std::uint32_t residue_signed(std::int64_t x) const;

  std::uint32_t prime_;
  std::uint32_t fold_;
  std::uint32_t reciprocal61_;
  std::uint64_t reciprocal64_;
  std::shared_ptr<const PowersOfTwo> powers_;
};

// Distinct primes, uniform among those of (2^29, 2^30). The same stream gives the same primes; more
// of it may be used up than they take.
std::vector<PrimeField> draw_primes(KeyStream& keys, std::size_t count);

}  // namespace pet
