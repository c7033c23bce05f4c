#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "core/eval/kernels/modular_product.h"
#include "core/eval/kernels/real_product.h"

using namespace pet;

namespace {

__extension__ using Wide = unsigned __int128;

// Where the Barrett step of the vector kernels is at its limits: 2^29 / p and the fraction of 2^61
// / p near 1 (the quotient is 2 too small for one sum in 150), and the largest 2^32 mod p among the
// larger primes.
constexpr std::uint32_t kWorstQuotient = 536889229;
constexpr std::uint32_t kWorstFold = 858993503;

struct Size {
  std::size_t rows, depth, columns;
};

const std::vector<InstructionSet> kSets{InstructionSet::Portable, InstructionSet::Avx2,
                                        InstructionSet::Avx512};

template <class T>
struct Operands {
  std::vector<T> a, b, c;
};

template <class T, class Draw>
Operands<T> draw(const Size& size, Draw&& one) {
  Operands<T> operands{std::vector<T>(size.rows * size.depth),
                       std::vector<T>(size.depth * size.columns),
                       std::vector<T>(size.rows * size.columns)};
  for (auto* values : {&operands.a, &operands.b, &operands.c})
    for (T& value : *values) value = one();
  return operands;
}

std::vector<std::uint32_t> by_hand(const Operands<std::uint32_t>& x, const Size& size,
                                   std::uint32_t p, bool accumulate) {
  std::vector<std::uint32_t> out(x.c.size());
  for (std::size_t m = 0; m < size.rows; ++m)
    for (std::size_t n = 0; n < size.columns; ++n) {
      Wide sum = accumulate ? x.c[m * size.columns + n] : 0;
      for (std::size_t k = 0; k < size.depth; ++k)
        sum += Wide{x.a[m * size.depth + k]} * x.b[k * size.columns + n];
      out[m * size.columns + n] = static_cast<std::uint32_t>(sum % p);
    }
  return out;
}

void check_modular(const PrimeField& field, const Operands<std::uint32_t>& x, const Size& size) {
  for (const bool accumulate : {false, true}) {
    const std::vector<std::uint32_t> expected = by_hand(x, size, field.prime(), accumulate);
    for (const InstructionSet set : kSets) {
      if (!supported(set)) continue;
      std::vector<std::uint32_t> c = x.c;
      modular_product(field, {x.a.data(), size.depth}, {x.b.data(), size.columns}, size.rows,
                      size.depth, size.columns, {c.data(), size.columns, accumulate}, set);
      INFO(size.rows << "x" << size.depth << "x" << size.columns << " set " << static_cast<int>(set)
                     << " accumulate " << accumulate << " p " << field.prime());
      REQUIRE(c == expected);
    }
  }
}

}  // namespace

TEST_CASE("This machine's best instruction set is one that it has") {
  CHECK(supported(InstructionSet::Portable));
  CHECK(supported(best_instruction_set()));
}

TEST_CASE("Modular products of every small shape agree with plain loops") {
  Rng rng(11);
  const PrimeField field(kLargestPrime);
  for (std::size_t rows = 1; rows <= 10; ++rows)
    for (const std::size_t columns : {1U, 2U, 7U, 8U, 9U, 15U, 16U, 17U, 25U, 33U})
      for (const std::size_t depth : {1U, 2U, 7U, 8U, 9U, 19U}) {
        const Size size{rows, depth, columns};
        check_modular(
            field,
            draw<std::uint32_t>(
                size, [&] { return static_cast<std::uint32_t>(rng.below(field.prime())); }),
            size);
      }
}

TEST_CASE("Modular products of larger odd shapes agree with plain loops") {
  Rng rng(12);
  KeyStream keys(digest_of("test", "products"), 0);
  const std::vector<Size> sizes{{1, 5000, 1},  {3, 5000, 17}, {9, 257, 40}, {65, 300, 49},
                                {23, 513, 31}, {2, 40, 2100}, {130, 3, 70}};
  for (const PrimeField& field : draw_primes(keys, 2))
    for (const Size& size : sizes)
      check_modular(field,
                    draw<std::uint32_t>(
                        size, [&] { return static_cast<std::uint32_t>(rng.below(field.prime())); }),
                    size);
}

TEST_CASE("Sums of the largest residues do not overflow at any depth") {
  for (const std::uint32_t prime : {kSmallestPrime, kLargestPrime, kWorstQuotient, kWorstFold}) {
    const PrimeField field(prime);
    for (const std::size_t depth : {1U, 7U, 8U, 9U, 15U, 16U, 17U, 255U, 256U, 257U, 5000U}) {
      const Size size{9, depth, 18};
      check_modular(field, draw<std::uint32_t>(size, [&] { return prime - 1; }), size);
    }
  }
}

TEST_CASE("Sums just below the bound of the accumulators are reduced fully") {
  Rng rng(16);
  for (const std::uint32_t p : {kWorstQuotient, kWorstFold, kSmallestPrime, kLargestPrime}) {
    const PrimeField field(p);
    for (const std::size_t depth : {8U, 15U, 16U}) {
      const Size size{40, depth, 160};
      check_modular(
          field,
          draw<std::uint32_t>(
              size, [&] { return p - 1 - static_cast<std::uint32_t>(rng.below(p / 32)); }),
          size);
    }
  }
}

TEST_CASE("Sums next to a multiple of the prime are reduced fully") {
  // Every entry is 0, 1, p - 1 or near half of p, so that sums land on and beside multiples of p.
  Rng rng(13);
  for (const std::uint32_t p : {kSmallestPrime, kLargestPrime}) {
    const std::vector<std::uint32_t> some{0, 1, 2, p - 1, p - 2, p / 2, p / 2 + 1};
    const PrimeField field(p);
    for (const std::size_t depth : {1U, 2U, 3U, 8U, 64U}) {
      const Size size{16, depth, 64};
      check_modular(field, draw<std::uint32_t>(size, [&] { return some[rng.below(some.size())]; }),
                    size);
    }
  }
}

TEST_CASE("An empty depth gives zeros, or leaves an accumulated output alone") {
  const PrimeField field(kLargestPrime);
  const Size size{3, 0, 20};
  check_modular(field, draw<std::uint32_t>(size, [] { return 5U; }), size);
}

TEST_CASE("A product writes nothing outside its rows and columns") {
  const PrimeField field(kLargestPrime);
  const std::size_t rows = 5, depth = 4, columns = 11, stride = 19;
  const std::vector<std::uint32_t> a(rows * depth, 1), b(depth * columns, 1);
  for (const InstructionSet set : kSets) {
    if (!supported(set)) continue;
    std::vector<std::uint32_t> c((rows + 2) * stride, 77);
    modular_product(field, {a.data(), depth}, {b.data(), columns}, rows, depth, columns,
                    {c.data() + stride, stride, false}, set);
    for (std::size_t i = 0; i < c.size(); ++i) {
      const bool inside = i / stride >= 1 && i / stride <= rows && i % stride < columns;
      REQUIRE(c[i] == (inside ? 4U : 77U));
    }
  }
}

TEST_CASE("Blocks of B multiply the slice of A that they name, whatever the padding holds") {
  Rng rng(14);
  const PrimeField field(kLargestPrime);
  const Size size{11, 50, 21};
  const auto x = draw<std::uint32_t>(
      size, [&] { return static_cast<std::uint32_t>(rng.below(field.prime())); });
  PackedRows<std::uint32_t> a(size.rows, size.depth);
  pack_a(a, {x.a.data(), size.depth});
  PackedColumns<std::uint32_t> b;
  for (const InstructionSet set : kSets) {
    if (!supported(set)) continue;
    std::vector<std::uint32_t> c(x.c.size());
    for (std::size_t k = 0; k < size.depth; k += 17) {
      b.reshape(size.columns, std::min<std::size_t>(17, size.depth - k));
      std::fill_n(b.panel(0), b.panels() * kPanelColumns * b.depth(), UINT32_MAX);
      pack_b(b, {x.b.data() + k * size.columns, size.columns});
      modular_product(field, a, k, b, {c.data(), size.columns, k > 0}, set);
    }
    REQUIRE(c == by_hand(x, size, field.prime(), false));
  }
}

TEMPLATE_TEST_CASE("Real products agree with plain loops up to rounding", "", double, long double) {
  using T = TestType;
  Rng rng(15);
  const std::vector<Size> sizes{{1, 1, 1},     {1, 300, 1},  {8, 16, 16}, {7, 9, 15},
                                {13, 700, 35}, {3, 2, 1100}, {4, 0, 5},   {6, 5, 8}};
  for (const Size& size : sizes)
    for (const bool accumulate : {false, true}) {
      const auto x = draw<T>(size, [&] { return static_cast<T>(rng.normal()); });
      for (const InstructionSet set : kSets) {
        if (!supported(set)) continue;
        std::vector<T> c = x.c;
        real_product<T>({x.a.data(), size.depth}, {x.b.data(), size.columns}, size.rows, size.depth,
                        size.columns, {c.data(), size.columns, accumulate}, set);
        for (std::size_t i = 0; i < c.size(); ++i) {
          long double sum = accumulate ? x.c[i] : 0, magnitude = 1;
          for (std::size_t k = 0; k < size.depth; ++k) {
            const long double product =
                static_cast<long double>(x.a[i / size.columns * size.depth + k]) *
                x.b[k * size.columns + i % size.columns];
            sum += product;
            magnitude += std::fabs(product);
          }
          const long double bound = magnitude * static_cast<long double>(size.depth + 2) *
                                    static_cast<long double>(std::numeric_limits<T>::epsilon());
          REQUIRE(std::fabs(c[i] - sum) <= bound);
        }
      }
    }
}
