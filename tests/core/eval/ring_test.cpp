#include "core/eval/ring.h"

#include <catch2/catch.hpp>
#include <numeric>

using namespace pet;

TEST_CASE("Products are added one by one or many at once, and nothing overflows") {
  const PrimeField field(kLargestPrime);
  const ResidueRing ring({PrimeField(kSmallestPrime), field});
  for (const std::size_t length : {0U, 1U, 14U, 15U, 16U, 31U, 100U}) {
    const std::vector<std::uint32_t> largest(length + 1, kLargestPrime - 1);
    std::vector<Dim> at(length);
    std::iota(at.rbegin(), at.rend(), Dim{1});
    std::uint32_t sum = kLargestPrime - 1;
    for (std::size_t i = 0; i < length; ++i)
      sum = field.add(sum, field.mul(largest[i], largest[i]));
    const std::span first(largest.data(), length);
    CHECK(ring.add_products(1, kLargestPrime - 1, first, largest, at) == sum);
  }
}

TEST_CASE("What lies outside of a tensor adds nothing to a sum of products") {
  const ResidueRing residues({PrimeField(kLargestPrime)});
  const std::vector<std::uint32_t> factors = {2, 3, 5};
  const std::vector<std::uint32_t> read = {7, 11};
  const std::vector<Dim> at = {1, -1, 0};
  CHECK(residues.add_products(0, 1, factors, read, at) == 1 + 2 * 11 + 5 * 7);
  const RealRing<double> reals;
  const std::vector<double> infinite = {INFINITY, INFINITY};
  CHECK(reals.add_products(0, 1.5, std::vector<double>{1}, infinite, std::vector<Dim>{-1}) == 1.5);
}
