// What cuBLASLt is told of a product is that product.
#include "gpu/device/products.h"

#include <catch2/catch.hpp>

#include "tests/support/seeded.h"

namespace pet::gpu {
namespace {

using Numbers = std::vector<double>;

// As cuBLASLt reads: columns one after another.
double element(const Numbers& memory, const Stored& matrix, Dim base, Dim row, Dim column) {
  if (matrix.transposed) std::swap(row, column);
  REQUIRE(row < matrix.rows);
  REQUIRE(column < matrix.columns);
  REQUIRE(matrix.leading >= matrix.rows);
  return memory.at(static_cast<std::size_t>(base + row + column * matrix.leading));
}

Dim rows_of(const Stored& m) { return m.transposed ? m.columns : m.rows; }
Dim columns_of(const Stored& m) { return m.transposed ? m.rows : m.columns; }

Numbers by_columns(const MatrixProduct& p, const Numbers& left, const Numbers& right,
                   std::size_t size) {
  const ColumnMajor form = column_major(p);
  const Numbers& first = form.swapped ? right : left;
  const Numbers& second = form.swapped ? left : right;
  REQUIRE_FALSE(form.result.transposed);
  REQUIRE(columns_of(form.left) == rows_of(form.right));
  REQUIRE(rows_of(form.left) == form.result.rows);
  REQUIRE(columns_of(form.right) == form.result.columns);
  Numbers out(size, 0);
  for (Dim b = 0; b < form.batch; ++b) {
    for (Dim i = 0; i < form.result.rows; ++i) {
      for (Dim j = 0; j < form.result.columns; ++j) {
        double sum = 0;
        for (Dim k = 0; k < columns_of(form.left); ++k)
          sum += element(first, form.left, b * form.left_step, i, k) *
                 element(second, form.right, b * form.right_step, k, j);
        out.at(static_cast<std::size_t>(b * form.result_step + i + j * form.result.leading)) = sum;
      }
    }
  }
  return out;
}

Numbers by_strides(const MatrixProduct& p, const Numbers& left, const Numbers& right,
                   std::size_t size) {
  const auto at = [](const Numbers& memory, const View& view, Dim b, Dim i, Dim j) {
    return memory.at(
        static_cast<std::size_t>(b * view.strides[0] + i * view.strides[1] + j * view.strides[2]));
  };
  Numbers out(size, 0);
  for (Dim b = 0; b < p.result.extents[0]; ++b) {
    for (Dim m = 0; m < p.result.extents[1]; ++m) {
      for (Dim n = 0; n < p.result.extents[2]; ++n) {
        double sum = 0;
        for (Dim k = 0; k < p.left.extents[2]; ++k)
          sum += at(left, p.left, b, m, k) * at(right, p.right, b, k, n);
        out.at(static_cast<std::size_t>(b * p.result.strides[0] + m * p.result.strides[1] +
                                        n * p.result.strides[2])) = sum;
      }
    }
  }
  return out;
}

// Rows or columns together, with room between them, one matrix for all or one each.
View random_view(Dim batch, Dim rows, Dim columns, bool may_repeat, Rng& rng) {
  const bool by_row = rng.below(2) == 0;
  const Dim gap = static_cast<Dim>(rng.below(3));
  const Dim leading = (by_row ? columns : rows) + gap;
  const Dim step = may_repeat && rng.below(3) == 0 ? 0 : leading * (by_row ? rows : columns);
  return {{}, {batch, rows, columns}, {step, by_row ? leading : 1, by_row ? 1 : leading}};
}

TEST_CASE("A product is handed to cuBLASLt as the same product by columns") {
  test::Seeded rng;
  CAPTURE(rng.drawn);
  constexpr std::size_t kRoom = 1000;
  for (int i = 0; i < 500; ++i) {
    const Dim b = rng.between(1, 3), m = rng.between(1, 4), k = rng.between(1, 4),
              n = rng.between(1, 4);
    const MatrixProduct p{.left = random_view(b, m, k, true, rng),
                          .right = random_view(b, k, n, true, rng),
                          .result = random_view(b, m, n, false, rng),
                          .bias = {},
                          .residual = {}};
    Numbers left(kRoom), right(kRoom);
    for (double& x : left) x = static_cast<double>(rng.between(-9, 9));
    for (double& x : right) x = static_cast<double>(rng.between(-9, 9));
    REQUIRE(by_columns(p, left, right, kRoom) == by_strides(p, left, right, kRoom));
  }
}

}  // namespace
}  // namespace pet::gpu
