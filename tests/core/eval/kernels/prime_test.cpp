#include "core/eval/kernels/prime.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>

using namespace pet;

namespace {

std::uint32_t by_gmp(const Rational& x, std::uint32_t p) {
  mpz_class prime(p), inverse;
  REQUIRE(mpz_invert(inverse.get_mpz_t(), x.get_den_mpz_t(), prime.get_mpz_t()) != 0);
  mpz_class result = x.get_num() * inverse;
  mpz_mod(result.get_mpz_t(), result.get_mpz_t(), prime.get_mpz_t());
  return static_cast<std::uint32_t>(result.get_ui());
}

std::vector<PrimeField> fields() {
  std::vector<PrimeField> some{PrimeField(kSmallestPrime), PrimeField(kLargestPrime)};
  KeyStream keys(digest_of("test", "primes"), 0);
  for (const PrimeField& field : draw_primes(keys, 3)) some.push_back(field);
  return some;
}

}  // namespace

TEST_CASE(
    "The primality test agrees with a sieve at both ends of the interval and for small numbers") {
  const auto check = [](std::uint32_t low, std::uint32_t count) {
    std::vector<bool> composite(count, false);
    for (std::uint64_t d = 2; d * d < std::uint64_t{low} + count; ++d)
      for (std::uint64_t n = std::max(d * d, (low + d - 1) / d * d); n < std::uint64_t{low} + count;
           n += d)
        composite[n - low] = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (low + i < 2) continue;
      if (is_prime(low + i) == composite[i]) FAIL("wrong at " << low + i);
    }
  };
  CHECK_FALSE(is_prime(0));
  CHECK_FALSE(is_prime(1));
  check(2, 20000);
  check(1U << 29, 20000);
  check((1U << 30) - 20000, 20000);
  CHECK(is_prime(kSmallestPrime));
  CHECK(is_prime(kLargestPrime));
}

TEST_CASE("The constant for the number of primes is consistent with its logarithm and density") {
  CHECK(kLog2PrimeCount == Approx(std::log2(static_cast<double>(kPrimeCount))).epsilon(1e-15));
  Rng rng(1);
  int hits = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i)
    hits += is_prime((1U << 29) + static_cast<std::uint32_t>(rng.below(1U << 29)));
  CHECK(hits == Approx(kDraws * static_cast<double>(kPrimeCount) / 0x1p29).epsilon(0.05));
}

TEST_CASE("Drawn primes are distinct, in the interval, and follow from the key") {
  KeyStream one(digest_of("test", "a"), 0), same(digest_of("test", "a"), 0);
  KeyStream other(digest_of("test", "b"), 0);
  const auto primes = [](KeyStream& keys) {
    std::vector<std::uint32_t> list;
    for (const PrimeField& field : draw_primes(keys, 200)) list.push_back(field.prime());
    return list;
  };
  const std::vector<std::uint32_t> first = primes(one);
  CHECK(first == primes(same));
  CHECK(first != primes(other));
  std::vector<std::uint32_t> sorted = first;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  for (const std::uint32_t p : first) {
    CHECK(p > 1U << 29);
    CHECK(p < 1U << 30);
    CHECK(is_prime(p));
  }
  CHECK(std::accumulate(first.begin(), first.end(), 0.0) / 200 ==
        Approx(1.5 * 0x1p29).epsilon(0.05));
}

TEST_CASE("Field operations agree with wide arithmetic") {
  Rng rng(7);
  for (const PrimeField& field : fields()) {
    const std::uint64_t p = field.prime();
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t x = i % 3 == 0 ? UINT64_MAX - rng.below(5) : rng.next();
      REQUIRE(field.reduce(x) == x % p);
      const auto a = static_cast<std::uint32_t>(i % 7 == 0 ? p - 1 : rng.below(p));
      const auto b = static_cast<std::uint32_t>(i % 5 == 0 ? p - 1 : rng.below(p));
      REQUIRE(field.add(a, b) == (std::uint64_t{a} + b) % p);
      REQUIRE(field.sub(a, b) == (p + a - b) % p);
      REQUIRE(field.mul(a, b) == std::uint64_t{a} * b % p);
      REQUIRE(field.add(a, field.negate(a)) == 0);
      if (a != 0) REQUIRE(field.mul(a, field.inverse(a)) == 1);
    }
    for (const std::uint64_t multiple : {p - 1, p, p + 1, p * p - 1, p * p, 16 * (p - 1) * (p - 1)})
      CHECK(field.reduce(multiple) == multiple % p);
    CHECK(field.negate(0) == 0);
    CHECK(field.pow(3, 0) == 1);
    CHECK(field.pow(3, p - 1) == 1);
  }
}

TEST_CASE("The residue of a float is that of its exact value") {
  using Float = std::numeric_limits<float>;
  using Double = std::numeric_limits<double>;
  std::vector<double> values{0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             0.5,
                             2147483648.0,
                             0.1,
                             -1.0 / 3.0,
                             static_cast<double>(0.1F),
                             static_cast<double>(Float::denorm_min()),
                             static_cast<double>(Float::min()),
                             static_cast<double>(Float::max()),
                             Double::denorm_min(),
                             -Double::denorm_min(),
                             Double::min(),
                             std::nextafter(Double::min(), 0.0),
                             Double::max(),
                             -Double::max()};
  Rng rng(3);
  for (int i = 0; i < 500; ++i)
    values.push_back(std::ldexp(rng.normal(), static_cast<int>(rng.between(-1080, 1020))));
  for (const PrimeField& field : fields()) {
    std::vector<std::uint32_t> whole(values.size());
    field.residues(values, whole);
    for (std::size_t i = 0; i < values.size(); ++i) {
      INFO(values[i]);
      REQUIRE(field.residue(values[i]) == by_gmp(exact(values[i]), field.prime()));
      REQUIRE(whole[i] == field.residue(values[i]));
    }
    const std::vector<float> floats{0.1F, Float::denorm_min(), -3.5F};
    std::vector<std::uint32_t> residues(3);
    field.residues(floats, residues);
    CHECK(residues[0] == by_gmp(exact(static_cast<double>(0.1F)), field.prime()));
    CHECK(residues[1] == by_gmp(exact(static_cast<double>(Float::denorm_min())), field.prime()));
    CHECK(residues[2] == by_gmp(ratio(-7, 2), field.prime()));
  }
}

TEST_CASE("A scale by 2147483648 is not the identity in any drawn field") {
  for (const PrimeField& field : fields()) CHECK(field.residue(2147483648.0) != 1);
}

TEST_CASE("Integers and rationals have residues unless the prime divides the denominator") {
  for (const PrimeField& field : fields()) {
    const std::uint32_t p = field.prime();
    for (const std::int64_t x : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{17}, INT64_MAX,
                                 INT64_MIN, -static_cast<std::int64_t>(p)})
      CHECK(field.residue(x) == by_gmp(ratio(x, 1), p));
    CHECK(field.residue(UINT64_MAX) == UINT64_MAX % p);
    CHECK(field.residue(-3) == p - 3);
    CHECK(field.residue(ratio(-22, 7)) == by_gmp(ratio(-22, 7), p));
    CHECK(field.residue(ratio(p, 7)) == 0U);
    CHECK_FALSE(field.residue(ratio(1, p)).has_value());
    CHECK_FALSE(field.residue(ratio(5, 3 * static_cast<std::int64_t>(p))).has_value());
  }
}
