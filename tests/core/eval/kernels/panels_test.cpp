#include "core/eval/kernels/panels.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

using namespace pet;

TEST_CASE("Packing puts every entry where the layout says") {
  const std::size_t rows = 13, depth = 5, columns = 37;
  std::vector<double> a(rows * depth), b(depth * columns);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i) + 1;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = -static_cast<double>(i) - 1;
  PackedRows<double> left(rows, depth);
  pack_a(left, {a.data(), depth});
  PackedColumns<double> right(columns, depth);
  pack_b(right, {b.data(), columns});
  for (std::size_t m = 0; m < rows; ++m)
    for (std::size_t k = 0; k < depth; ++k) {
      REQUIRE(left.at(m, k) == a[m * depth + k]);
      REQUIRE(left.panel(0)[(m / 8) * 8 * depth + k * 8 + m % 8] == a[m * depth + k]);
    }
  for (std::size_t n = 0; n < columns; ++n)
    for (std::size_t k = 0; k < depth; ++k) {
      REQUIRE(right.at(n, k) == b[k * columns + n]);
      REQUIRE(right.panel(n / 16)[k * 16 + n % 16] == b[k * columns + n]);
    }
}

TEST_CASE("A transposed source packs to the same panels") {
  const std::size_t depth = 6, columns = 21;
  std::vector<std::uint32_t> b(depth * columns), transposed(depth * columns);
  for (std::size_t k = 0; k < depth; ++k)
    for (std::size_t n = 0; n < columns; ++n)
      transposed[n * depth + k] = b[k * columns + n] = static_cast<std::uint32_t>(k * 100 + n);
  PackedColumns<std::uint32_t> one(columns, depth), other(columns, depth);
  pack_b(one, {b.data(), columns, 1});
  pack_b(other, {transposed.data(), 1, depth});
  for (std::size_t n = 0; n < columns; ++n)
    for (std::size_t k = 0; k < depth; ++k) REQUIRE(one.at(n, k) == other.at(n, k));
}

TEST_CASE("A block that is reshaped keeps its memory when it shrinks") {
  PackedColumns<std::uint32_t> block(64, 32);
  const std::uint32_t* before = block.panel(0);
  block.reshape(17, 8);
  CHECK(block.panel(0) == before);
  CHECK(block.panels() == 2);
  CHECK(block.offset(16, 0) == 16 * 8);
}
