#include "verify/theorem/field.h"

#include <algorithm>
#include <cmath>

#include "core/eval/kernels/prime.h"

namespace pet::theorem {

std::uint64_t Field::inverse(std::uint64_t a) const {
  std::uint64_t out = 1;
  for (std::uint64_t exponent = prime_ - 2; exponent != 0; exponent /= 2) {
    if (exponent % 2 != 0) out = mul(out, a);
    a = mul(a, a);
  }
  return out;
}

std::optional<std::uint64_t> Field::residue(const Rational& x) const {
  const std::uint64_t below = mpz_fdiv_ui(x.get_den().get_mpz_t(), prime_);
  if (below == 0) return std::nullopt;
  return mul(mpz_fdiv_ui(x.get_num().get_mpz_t(), prime_), inverse(below));
}

std::uint64_t Draws::in(const Field& field) {
  constexpr std::size_t kAtOnce = 512;
  // Words from the last whole multiple of the prime on would make small numbers likelier.
  const std::uint64_t end = ~std::uint64_t{0} / field.prime() * field.prime();
  for (;;) {
    if (words_.empty()) {
      words_.resize(kAtOnce);
      keys_.fill(words_);
    }
    const std::uint64_t word = words_.back();
    words_.pop_back();
    if (word < end) return word % field.prime();
  }
}

double log2_miss(const PolynomialSize& size) {
  // Random inputs at which the polynomial is 0 (Schwartz-Zippel), or a prime that divides a
  // coefficient that is not: no number of that length has more than length/29 factors above 2^29.
  const double unlucky_inputs = size.degree * std::exp2(-29);
  const double unlucky_prime = std::ceil(size.length_bits / 29) * std::exp2(-kLog2PrimeCount);
  return std::min(0.0, std::log2(unlucky_inputs + unlucky_prime));
}

double log2_miss_as_published(std::size_t inputs) {
  return std::log2(static_cast<double>(inputs) / static_cast<double>(kPublishedPrime));
}

}  // namespace pet::theorem
