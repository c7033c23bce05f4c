#include "core/eval/kernels/prime.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/util/check.h"

namespace pet {

namespace {

constexpr std::uint32_t kLow = std::uint32_t{1} << 29;

// Numbers modulo an odd one as multiples of 2^32, so that a product takes no division (Montgomery
// 1985).
class OddModulus {
 public:
  explicit OddModulus(std::uint32_t n) : n_(n) {
    inverse_ = n;  // of n modulo 2^32, right in three bits: each step doubles them
    for (int bits = 3; bits < 32; bits *= 2) inverse_ *= 2 - n * inverse_;
    one_ = static_cast<std::uint32_t>((std::uint64_t{1} << 32) % n);
  }

  std::uint32_t one() const { return one_; }
  std::uint32_t minus_one() const { return n_ - one_; }
  std::uint32_t of(std::uint32_t x) const {
    return static_cast<std::uint32_t>((std::uint64_t{x} << 32) % n_);
  }
  std::uint32_t times(std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t product = std::uint64_t{a} * b;
    const std::uint32_t quotient = static_cast<std::uint32_t>(product) * inverse_;
    const auto high = static_cast<std::uint32_t>(product >> 32);
    const auto taken = static_cast<std::uint32_t>((std::uint64_t{quotient} * n_) >> 32);
    return high < taken ? high - taken + n_ : high - taken;
  }
  std::uint32_t power(std::uint32_t base, std::uint32_t exponent) const {
    std::uint32_t result = one_;
    for (; exponent != 0; exponent >>= 1) {
      if (exponent & 1) result = times(result, base);
      base = times(base, base);
    }
    return result;
  }

 private:
  std::uint32_t n_;
  std::uint32_t inverse_;
  std::uint32_t one_;
};

// Whether the odd number n = odd * 2^twos + 1 passes the Miller-Rabin test with this base.
bool passes(const OddModulus& n, std::uint32_t base, std::uint32_t odd, int twos) {
  std::uint32_t x = n.power(n.of(base), odd);
  if (x == n.one() || x == n.minus_one()) return true;
  for (int i = 1; i < twos; ++i) {
    x = n.times(x, x);
    if (x == n.minus_one()) return true;
  }
  return false;
}

}  // namespace

bool is_prime(std::uint32_t n) {
  // Most numbers are multiples of one of these.
  static constexpr std::array<std::uint32_t, 18> kSmall{2,  3,  5,  7,  11, 13, 17, 19, 23,
                                                        29, 31, 37, 41, 43, 47, 53, 59, 61};
  for (const std::uint32_t small : kSmall) {
    if (n == small) return true;
    if (n % small == 0) return false;
  }
  if (n < 2) return false;
  const int twos = std::countr_zero(n - 1);
  const std::uint32_t odd = (n - 1) >> twos;
  const OddModulus modulus(n);
  constexpr std::array<std::uint32_t, 3> kBases{2, 7, 61};  // decide every n below 4759123141
  return std::ranges::all_of(kBases, [&](auto base) { return passes(modulus, base, odd, twos); });
}

PrimeField::PrimeField(std::uint32_t prime) : PrimeField(prime, is_prime(prime)) {}

PrimeField::PrimeField(std::uint32_t prime, bool known_prime) : prime_(prime) {
  PET_CHECK(prime > kLow && prime < 2 * kLow && known_prime,
            "a field needs a prime between 2^29 and 2^30");
  fold_ = static_cast<std::uint32_t>((std::uint64_t{1} << 32) % prime);
  reciprocal61_ = static_cast<std::uint32_t>((std::uint64_t{1} << 61) / prime);
  reciprocal64_ = UINT64_MAX / prime;  // floor(2^64 / p), because p is odd
  auto powers = std::make_shared<PowersOfTwo>();
  powers->small[0] = 1;
  for (std::size_t i = 1; i < kStep; ++i)
    powers->small[i] = add(powers->small[i - 1], powers->small[i - 1]);
  const std::uint32_t step = add(powers->small.back(), powers->small.back());
  powers->large[0] = inverse(pow(2, 1074));
  for (std::size_t i = 1; i < kSteps; ++i) powers->large[i] = mul(powers->large[i - 1], step);
  powers_ = std::move(powers);
}

std::uint32_t PrimeField::pow(std::uint32_t base, std::uint64_t exponent) const {
  std::uint32_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = mul(result, base);
    base = mul(base, base);
  }
  return result;
}

std::uint32_t PrimeField::inverse(std::uint32_t a) const {
  PET_CHECK(a != 0, "zero has no inverse");
  return pow(a, prime_ - 2);
}

std::uint32_t PrimeField::residue(double x) const {
  constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t exponent = (bits >> 52) & 0x7ff;
  PET_CHECK(exponent != 0x7ff, "only finite values have a residue");
  const std::uint64_t mantissa = (bits & kFraction) | (exponent != 0 ? kFraction + 1 : 0);
  const std::size_t place = exponent != 0 ? exponent - 1 : 0;
  const std::uint32_t power = mul(powers_->large[place / kStep], powers_->small[place % kStep]);
  const std::uint32_t magnitude = mul(reduce(mantissa), power);
  return (bits >> 63) != 0 ? negate(magnitude) : magnitude;
}

std::uint32_t PrimeField::residue_signed(std::int64_t x) const {
  const auto bits = static_cast<std::uint64_t>(x);
  return x < 0 ? negate(reduce(0 - bits)) : reduce(bits);
}

std::optional<std::uint32_t> PrimeField::residue(const Rational& x) const {
  if (x == 1) return 1;  // nearly every coefficient
  const auto reduced = [&](const mpz_class& n) {
    return static_cast<std::uint32_t>(mpz_fdiv_ui(n.get_mpz_t(), prime_));
  };
  const std::uint32_t denominator = reduced(x.get_den());
  if (denominator == 0) return std::nullopt;
  return mul(reduced(x.get_num()), inverse(denominator));
}

void PrimeField::residues(std::span<const float> values, std::span<std::uint32_t> out) const {
  PET_CHECK(values.size() == out.size(), "one residue for each value");
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = residue(static_cast<double>(values[i]));
}

void PrimeField::residues(std::span<const double> values, std::span<std::uint32_t> out) const {
  PET_CHECK(values.size() == out.size(), "one residue for each value");
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = residue(values[i]);
}

std::vector<PrimeField> draw_primes(KeyStream& keys, std::size_t count) {
  PET_CHECK(count <= kPrimeCount / 2, "too many distinct primes of 30 bits");
  std::vector<PrimeField> fields;
  fields.reserve(count);
  // Of each block of the stream its first word, as certificates say; many blocks are made at once.
  constexpr std::size_t kWordsOfBlock = 8;
  std::array<std::uint64_t, 16 * kWordsOfBlock> words{};
  for (std::size_t at = words.size(); fields.size() < count; at += kWordsOfBlock) {
    if (at == words.size()) {
      keys.fill(words);
      at = 0;
    }
    // 28 uniform bits and the forced low bit: every odd number of the interval is equally likely.
    const auto candidate = static_cast<std::uint32_t>(kLow | ((words[at] >> 36) << 1) | 1);
    const auto drawn = [&](const PrimeField& field) { return field.prime() == candidate; };
    if (is_prime(candidate) && std::ranges::none_of(fields, drawn))
      fields.push_back(PrimeField(candidate, true));
  }
  return fields;
}

}  // namespace pet
