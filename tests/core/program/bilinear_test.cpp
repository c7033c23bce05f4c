#include "core/program/mutate/bilinear.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "tests/support/weights.h"

using namespace pet;
using namespace pet::mutation;

namespace {

Rational any(Rng& rng) { return ratio(rng.between(-9, 9), rng.between(1, 5)); }

std::vector<Rational> any_list(Rng& rng, Dim n) {
  std::vector<Rational> out;
  for (Dim i = 0; i < n; ++i) out.push_back(any(rng));
  return out;
}

std::vector<Rational> by_definition(const Correlation& axis, const std::vector<Rational>& x,
                                    const std::vector<Rational>& w) {
  std::vector<Rational> out;
  for (Dim o = 0; o < axis.output; ++o) {
    Rational sum = 0;
    for (Dim k = 0; k < axis.taps; ++k) {
      const Dim t = axis.stride * o + axis.dilation * k - axis.pad;
      if (t >= 0 && t < axis.input)
        sum += x[static_cast<std::size_t>(t)] * w[static_cast<std::size_t>(k)];
    }
    out.push_back(sum);
  }
  return out;
}

std::vector<Rational> product(const Matrix& m, const std::vector<Rational>& x) {
  REQUIRE(m.columns == x.size());
  std::vector<Rational> out(m.rows);
  for (std::size_t r = 0; r < m.rows; ++r) {
    for (std::size_t c = 0; c < m.columns; ++c) out[r] += m.at(r, c) * x[c];
  }
  return out;
}

std::vector<Rational> by_algorithm(const AxisAlgorithm& algorithm, const std::vector<Rational>& x,
                                   const std::vector<Rational>& w, const Rational& bias) {
  std::vector<Rational> data = product(algorithm.data, x);
  const std::vector<Rational> weights = product(algorithm.tile.weights, w);
  for (std::size_t i = 0; i < data.size(); ++i) {
    data[i] *= weights[i % weights.size()];
    if (algorithm.tile.bias_point && i % weights.size() == *algorithm.tile.bias_point)
      data[i] += bias;
  }
  std::vector<Rational> out = product(algorithm.outputs, data);
  if (!algorithm.tile.bias_point) {
    for (Rational& y : out) y += bias;
  }
  return out;
}

void check_floats(const Matrix& m) {
  for (const Rational& x : m.values)
    CHECK(exact(static_cast<double>(static_cast<float>(to_double(x)))) == x);
}

void check(Rng& rng, const Correlation& axis, const AxisAlgorithm& algorithm) {
  check_floats(algorithm.data);
  check_floats(algorithm.outputs);
  const auto x = any_list(rng, axis.input);
  const auto w = any_list(rng, axis.taps);
  const Rational bias = any(rng);
  auto wanted = by_definition(axis, x, w);
  for (Rational& y : wanted) y += bias;
  CHECK(by_algorithm(algorithm, x, w, bias) == wanted);
}

Correlation any_axis(Rng& rng) {
  Correlation axis;
  for (;;) {
    axis.input = rng.between(1, 17);
    axis.taps = rng.between(1, 6);
    axis.stride = rng.between(1, 4);
    axis.dilation = rng.between(1, 4);
    axis.pad = rng.between(0, axis.taps * axis.dilation);
    const Dim room = axis.input + axis.pad + rng.between(0, axis.taps * axis.dilation) -
                     axis.dilation * (axis.taps - 1) - 1;
    if (room < 0) continue;
    axis.output = room / axis.stride + 1;
    return axis;
  }
}

}  // namespace

TEST_CASE("Tiles of any size compute any correlation along an axis exactly") {
  Rng rng(1);
  int tried = 0;
  for (int i = 0; i < 300; ++i) {
    const Correlation axis = any_axis(rng);
    const Dim stride = axis.stride / std::gcd(axis.stride, axis.dilation);
    CAPTURE(axis.input, axis.output, axis.taps, axis.stride, axis.dilation, axis.pad);
    const auto tile = toom_cook_tile(rng.between(1, 8), axis.taps, stride);
    if (!tile) continue;
    ++tried;
    check(rng, axis, tiled(axis, *tile));
    if (stride == 1 || axis.output > 0) check(rng, axis, tiled(axis, direct_tile(axis.taps)));
  }
  CHECK(tried > 200);
}

TEST_CASE("Blocks of an axis are short, even, and read what their outputs take") {
  Rng rng(2);
  int cut = 0;
  for (int i = 0; i < 600; ++i) {
    const Correlation axis = any_axis(rng);
    const Dim longest = rng.between(4, 17);
    const Dim tile = rng.between(1, 4);
    CAPTURE(axis.input, axis.output, axis.taps, axis.stride, axis.dilation, longest, tile);
    const auto found = blocks(axis, tile, longest);
    if (!found) continue;
    const Correlation& each = found->each;
    CHECK(std::max(each.input, each.output) <= longest);
    CHECK(found->number * each.output >= axis.output);
    CHECK((found->number - 1) * each.output < axis.output);
    if (found->number == 1) continue;
    ++cut;
    CHECK(each.output % tile == 0);
    const auto x = any_list(rng, axis.input);
    const auto w = any_list(rng, axis.taps);
    const auto wanted = by_definition(axis, x, w);
    for (Dim t = 0; t < axis.output; ++t) {
      const Dim first = t / each.output * found->step() - axis.pad;
      std::vector<Rational> part;
      for (Dim s = 0; s < each.input; ++s) {
        const bool inside = first + s >= 0 && first + s < axis.input;
        part.push_back(inside ? x[static_cast<std::size_t>(first + s)] : Rational(0));
      }
      const auto place = static_cast<std::size_t>(t % each.output);
      CHECK(by_definition(each, part, w)[place] == wanted[static_cast<std::size_t>(t)]);
    }
  }
  CHECK(cut > 50);
}

TEST_CASE("Exchanged roles compute a short axis exactly") {
  Rng rng(2);
  int tried = 0;
  for (int i = 0; i < 100; ++i) {
    Correlation axis = any_axis(rng);
    axis.stride = axis.dilation = 1;
    axis.input = rng.between(1, 7);
    axis.pad = rng.between(0, axis.taps - 1);
    axis.output = std::max<Dim>(1, axis.input + axis.pad - axis.taps + 1 + rng.between(0, 2));
    const auto algorithm = exchanged_roles(axis);
    if (!algorithm) continue;
    ++tried;
    check(rng, axis, *algorithm);
  }
  CHECK(tried > 50);
}

namespace {

float rounded(const Rational& x) { return static_cast<float>(to_double(x)); }

// What a tile loses in floats, against its largest output: random data of `channels` channels.
double relative_error(const Tile& tile, Rng& rng, int channels) {
  std::vector<double> wanted(tile.outputs.rows);
  std::vector<float> products(tile.data.rows);
  for (int c = 0; c < channels; ++c) {
    const std::vector<float> x = test::normal_floats(tile.data.columns, rng);
    const std::vector<float> w = test::normal_floats(tile.weights.columns, rng);
    for (std::size_t o = 0; o < wanted.size(); ++o) {
      for (std::size_t k = 0; k < w.size(); ++k)
        wanted[o] += static_cast<double>(x[o + k]) * static_cast<double>(w[k]);
    }
    for (std::size_t p = 0; p < products.size(); ++p) {
      float data = 0;
      for (std::size_t e = 0; e < x.size(); ++e) data += rounded(tile.data.at(p, e)) * x[e];
      double weight = 0;
      for (std::size_t k = 0; k < w.size(); ++k)
        weight += to_double(tile.weights.at(p, k)) * static_cast<double>(w[k]);
      products[p] += data * static_cast<float>(weight);
    }
  }
  double worst = 0;
  double largest = 0;
  for (std::size_t o = 0; o < wanted.size(); ++o) {
    float y = 0;
    for (std::size_t p = 0; p < products.size(); ++p)
      y += rounded(tile.outputs.at(o, p)) * products[p];
    worst = std::max(worst, std::abs(static_cast<double>(y) - wanted[o]));
    largest = std::max(largest, std::abs(wanted[o]));
  }
  return worst / largest;
}

}  // namespace

TEST_CASE("The points are chosen such that little is lost in floats") {
  const std::pair<Dim, double> limits[] = {{2, 4e-7}, {4, 1.5e-6}, {8, 1.3e-5}};
  for (const auto& [outputs, limit] : limits) {
    Rng rng(3);
    std::vector<double> errors;
    for (int i = 0; i < 41; ++i)
      errors.push_back(relative_error(*toom_cook_tile(outputs, 3, 1), rng, 64));
    std::nth_element(errors.begin(), errors.begin() + 20, errors.end());
    CAPTURE(outputs, errors[20]);
    CHECK(errors[20] < limit);
  }
}

TEST_CASE("Two frames with padding take three products of four") {
  const Correlation axis{2, 2, 3, 1, 1, 1};
  CHECK(exchanged_roles(axis)->points() == 3);
  CHECK(toom_cook_tile(2, 3, 1)->points() == 4);
}

TEST_CASE("Two outputs of three taps at stride two take five products of six") {
  CHECK(toom_cook_tile(2, 3, 2)->points() == 5);
}

TEST_CASE("Tiles of a convolution have a product for the bias") {
  for (Dim outputs = 1; outputs < 9; ++outputs) {
    CHECK(toom_cook_tile(outputs, 3, 1)->bias_point.has_value());
  }
}
