// What the language of meanings must be able to say, each written out by hand and compared with a
// loop. Several of these operators have no definition in core/ops; the language must hold them
// anyway.
#include "core/ir/meaning.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/util/rng.h"
#include "tests/support/real_values.h"

using namespace pet;
using namespace pet::test;

namespace {

Values draw(Shape shape, std::uint64_t seed) {
  Rng rng(seed);
  Values values{std::move(shape), {}};
  for (Dim i = 0; i < count(values.shape); ++i)
    values.data.push_back(static_cast<double>(rng.normal()));
  return values;
}

Term term(Coef coef, Shape reduce, std::vector<Guard> guards, std::vector<Access> factors) {
  return {std::move(coef), std::move(reduce), std::move(guards), std::move(factors)};
}

void check_equal(const Values& a, const Shape& shape, const std::vector<Real>& expected) {
  REQUIRE(a.shape == shape);
  REQUIRE(a.data.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(static_cast<double>(a.data[i]) == Approx(static_cast<double>(expected[i])).margin(1e-12));
  }
}

// By the interpreter and by the fast evaluator alike.
void check_meaning(const Meaning& meaning, const std::vector<Values>& operands,
                   const std::vector<Real>& expected) {
  check_equal(interpret(meaning, operands), meaning.sum.out, expected);
  const auto fast = evaluate_fast(meaning, operands);
  REQUIRE(fast.ok());
  check_equal(*fast, meaning.sum.out, expected);
}

Real at(const Values& x, Dim i) {
  return i < 0 || i >= x.shape.back() ? 0 : x.data[static_cast<std::size_t>(i)];
}

// max of a window, holes left out
const ElementFunction kLargest{.name = "test_largest",
                               .value = [](std::span<const double>, const RowState& row,
                                           std::span<const Real>) { return row.first; },
                               .row =
                                   [](std::span<const double>, std::span<const Real> window) {
                                     Real most = -1e30L;
                                     for (const Real x : window) most = std::max(most, x);
                                     return RowState{most, 0};
                                   }};

const ElementFunction kShare{
    .name = "test_share",
    .value = [](std::span<const double>, const RowState& row,
                std::span<const Real> x) { return std::exp(x[0]) / row.first; },
    .row =
        [](std::span<const double>, std::span<const Real> window) {
          RowState row;
          for (const Real x : window) row.first += std::exp(x);
          return row;
        }};

const ElementFunction kNormalized{
    .name = "test_normalized",
    .value = [](std::span<const double>, const RowState& row,
                std::span<const Real> x) { return (x[0] - row.first) * row.second; },
    .row =
        [](std::span<const double> p, std::span<const Real> window) {
          RowState row;
          for (const Real x : window) row.first += x / static_cast<Real>(window.size());
          Real variance = 0;
          for (const Real x : window) {
            variance += (x - row.first) * (x - row.first) / static_cast<Real>(window.size());
          }
          row.second = 1 / std::sqrt(variance + static_cast<Real>(p[0]));
          return row;
        }};

}  // namespace

TEST_CASE("A bias counts once, whatever the convolution beside it sums over") {
  const Values x = draw({2, 7}, 1);     // channels, width
  const Values w = draw({3, 2, 3}, 2);  // filters, channels, taps
  const Values b = draw({3}, 3);
  enum { f, o, c, k };
  const Meaning conv{
      {},
      {{3, 7},
       {term({}, {2, 3}, {}, {{0, {v(c), v(o) + v(k) - 1}}, {1, {v(f), v(c), v(k)}}}),
        term({}, {}, {}, {{2, {v(f)}}})}}};
  std::vector<Real> expected;
  for (int i = 0; i < 3; ++i) {
    for (int p = 0; p < 7; ++p) {
      Real sum = b.data[static_cast<std::size_t>(i)];
      for (int ch = 0; ch < 2; ++ch) {
        for (int t = 0; t < 3; ++t) {
          const int from = p + t - 1;
          if (from >= 0 && from < 7) {
            sum += x.data[static_cast<std::size_t>(ch * 7 + from)] *
                   w.data[static_cast<std::size_t>(i * 6 + ch * 3 + t)];
          }
        }
      }
      expected.push_back(sum);
    }
  }
  check_meaning(conv, {x, w, b}, expected);
}

TEST_CASE("A divisor that leaves padding out is a table along the axis") {
  const Values x = draw({6}, 4);
  const Coef divisors{
      1, {{0, {ratio(1, 2), ratio(1, 3), ratio(1, 3), ratio(1, 3), ratio(1, 3), ratio(1, 2)}}}};
  const Meaning pool{{}, {{6}, {term(divisors, {3}, {}, {{0, {v(0) + v(1) - 1}}})}}};
  std::vector<Real> expected;
  for (Dim o = 0; o < 6; ++o) {
    const int taps = o == 0 || o == 5 ? 2 : 3;
    expected.push_back((at(x, o - 1) + at(x, o) + at(x, o + 1)) / taps);
  }
  check_meaning(pool, {x}, expected);
}

TEST_CASE("Padding by the edge is three terms whose guards do not overlap") {
  const Values x = draw({4}, 5);
  const Meaning padded{
      {},
      {{9},
       {term({}, {}, {{v(0), 0, 2}}, {{0, {0}}}), term({}, {}, {{v(0), 2, 6}}, {{0, {v(0) - 2}}}),
        term({}, {}, {{v(0), 6, 9}}, {{0, {3}}})}}};
  std::vector<Real> expected;
  for (Dim o = 0; o < 9; ++o) expected.push_back(at(x, std::clamp<Dim>(o - 2, 0, 3)));
  check_meaning(padded, {x}, expected);
  CHECK(is_data_movement(padded));
}

TEST_CASE("A dilated transposed convolution guards its taps by divisibility") {
  const Dim stride = 3;
  const Dim dilation = 2;
  const Dim pad = 1;
  const Values x = draw({5}, 6);
  const Values w = draw({4}, 7);
  const Dim width = (5 - 1) * stride + dilation * (4 - 1) + 1 - 2 * pad;
  const IndexExpr shifted = v(0) + pad - v(1) * dilation;
  const Guard whole{.expr = shifted, .multiple_of = stride};
  const Meaning transposed{
      {}, {{width}, {term({}, {4}, {whole}, {{0, {div(shifted, stride)}}, {1, {v(1)}}})}}};
  std::vector<Real> expected(static_cast<std::size_t>(width), 0);
  for (Dim i = 0; i < 5; ++i) {  // every input element spreads over the taps
    for (Dim k = 0; k < 4; ++k) {
      const Dim o = i * stride + k * dilation - pad;
      if (o >= 0 && o < width) expected[static_cast<std::size_t>(o)] += at(x, i) * at(w, k);
    }
  }
  check_meaning(transposed, {x, w}, expected);
}

TEST_CASE("A linear resize is two reads with weights by position, guarded at the border") {
  const Values x = draw({3}, 8);
  // 3 to 5 by half pixels: o reads at (2o + 1)·3/10 − 1/2 = (6o − 2)/10.
  const IndexExpr left = div(v(0) * 6 - 2, 10);
  std::vector<Rational> near;
  std::vector<Rational> far;
  for (Dim o = 0; o < 5; ++o) {
    far.push_back(ratio(floor_mod(6 * o - 2, 10), 10));
    near.push_back(1 - far.back());
  }
  const Guard before{left, -1, 0};
  const Guard beyond{left, 2, 3};
  const Meaning resize{{},
                       {{5},
                        {term({1, {{0, near}}}, {}, {}, {{0, {left}}}),
                         term({1, {{0, far}}}, {}, {}, {{0, {left + 1}}}),
                         term({1, {{0, near}}}, {}, {before}, {{0, {0}}}),
                         term({1, {{0, far}}}, {}, {beyond}, {{0, {2}}})}}};
  std::vector<Real> expected;
  for (int o = 0; o < 5; ++o) {
    const Real position = std::clamp<Real>((o + 0.5L) * 3 / 5 - 0.5L, 0, 2);
    const Dim low = static_cast<Dim>(position);
    const Real t = position - static_cast<Real>(low);
    expected.push_back((1 - t) * at(x, low) + t * at(x, std::min<Dim>(low + 1, 2)));
  }
  check_meaning(resize, {x}, expected);
}

TEST_CASE("The padding of a maximum is a hole and not a 0") {
  Values x = draw({6}, 9);
  for (Real& value : x.data)
    value = -1 - std::abs(value);  // a 0 would win everywhere at the border
  Application pooled{
      &kLargest, {}, {6}, {}, Window{{3}, {}, {0, {v(0) + v(1) - 1}}, Symmetry::Multiset}};
  const Meaning max_pool{{pooled}, read_in_place(1, {6})};
  std::vector<Real> expected;
  for (Dim o = 0; o < 6; ++o) {
    Real most = at(x, o);
    if (o > 0) most = std::max(most, at(x, o - 1));
    if (o < 5) most = std::max(most, at(x, o + 1));
    expected.push_back(most);
  }
  check_meaning(max_pool, {x}, expected);

  // A guard makes a hole just as the border does: here the middle tap.
  pooled.window->guards = {{.expr = v(1) - 1, .low = 1, .high = 2, .multiple_of = 0}};
  std::vector<Real> last_tap;
  for (Dim o = 0; o < 6; ++o) last_tap.push_back(o < 5 ? at(x, o + 1) : -1e30L);
  check_meaning({{pooled}, read_in_place(1, {6})}, {x}, last_tap);
}

TEST_CASE("A softmax reads its row and its own element") {
  const Values x = draw({2, 5}, 10);
  const Application share{&kShare,
                          {},
                          {2, 5},
                          {{0, {v(0), v(1)}}},
                          Window{{5}, {}, {0, {v(0), v(2)}}, Symmetry::Multiset}};
  std::vector<Real> expected;
  for (std::size_t row = 0; row < 2; ++row) {
    Real sum = 0;
    for (std::size_t i = 0; i < 5; ++i) sum += std::exp(x.data[row * 5 + i]);
    for (std::size_t i = 0; i < 5; ++i) expected.push_back(std::exp(x.data[row * 5 + i]) / sum);
  }
  check_meaning({{share}, read_in_place(1, {2, 5})}, {x}, expected);
}

TEST_CASE("A layer normalisation scales a normalised row in its sum") {
  const Values x = draw({2, 4}, 11);
  const Values scale = draw({4}, 12);
  const Values bias = draw({4}, 13);
  const Application row{&kNormalized,
                        {0.5},
                        {2, 4},
                        {{0, {v(0), v(1)}}},
                        Window{{4}, {}, {0, {v(0), v(2)}}, Symmetry::Multiset}};
  const Meaning normalized{
      {row},
      {{2, 4},
       {term({}, {}, {}, {{3, {v(0), v(1)}}, {1, {v(1)}}}), term({}, {}, {}, {{2, {v(1)}}})}}};
  std::vector<Real> expected;
  for (std::size_t r = 0; r < 2; ++r) {
    Real mean = 0;
    Real squares = 0;
    for (std::size_t i = 0; i < 4; ++i) mean += x.data[r * 4 + i] / 4;
    for (std::size_t i = 0; i < 4; ++i)
      squares += (x.data[r * 4 + i] - mean) * (x.data[r * 4 + i] - mean) / 4;
    for (std::size_t i = 0; i < 4; ++i) {
      expected.push_back((x.data[r * 4 + i] - mean) / std::sqrt(squares + 0.5L) * scale.data[i] +
                         bias.data[i]);
    }
  }
  check_meaning(normalized, {x, scale, bias}, expected);
}
