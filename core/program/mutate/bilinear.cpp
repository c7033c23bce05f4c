#include "core/program/mutate/bilinear.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "core/util/check.h"

namespace pet::mutation {
namespace {

// The projective point p : q; 1 : 0 is infinity.
struct Point {
  Dim p;
  Dim q;
};

constexpr std::array<Point, 4> kSmall{{{0, 1}, {1, 1}, {1, 0}, {-1, 1}}};
// Those that lose least in floats, by experiment: what is good among six is not among ten.
constexpr std::array<Point, 2> kUpTo6{{{1, 2}, {-2, 1}}};
constexpr std::array<Point, 4> kUpTo8{{{2, 1}, {-2, 1}, {1, 2}, {-1, 2}}};
constexpr std::array<Point, 10> kMore{
    {{1, 2}, {-1, 2}, {3, 1}, {-3, 1}, {3, 4}, {-3, 4}, {2, 1}, {-2, 1}, {1, 4}, {-1, 4}}};
constexpr std::size_t kMostPoints = kSmall.size() + kMore.size();

// REQUIRES: number <= kMostPoints
std::vector<Point> points_for(std::size_t number) {
  std::vector<Point> out(kSmall.begin(), kSmall.end());
  const auto append = [&](std::span<const Point> more) {
    out.insert(out.end(), more.begin(), more.end());
  };
  if (number <= 6) {
    append(kUpTo6);
  } else if (number <= 8) {
    append(kUpTo8);
  } else {
    append(kMore);
  }
  out.resize(number);
  return out;
}

Rational power(Dim base, std::size_t exponent) {
  Rational out = 1;
  for (std::size_t i = 0; i < exponent; ++i) out *= Rational(static_cast<long>(base));
  return out;
}

// Polynomials of `terms` coefficients, evaluated at so many points.
Matrix evaluation(std::size_t number, std::size_t terms) {
  const auto points = points_for(number);
  Matrix out(number, terms);
  for (std::size_t i = 0; i < number; ++i) {
    for (std::size_t k = 0; k < terms; ++k)
      out.at(i, k) = power(points[i].p, k) * power(points[i].q, terms - 1 - k);
  }
  return out;
}

Matrix transposed(const Matrix& m) {
  Matrix out(m.columns, m.rows);
  for (std::size_t r = 0; r < m.rows; ++r) {
    for (std::size_t c = 0; c < m.columns; ++c) out.at(c, r) = m.at(r, c);
  }
  return out;
}

// REQUIRES: regular
Matrix inverse(Matrix m) {
  const std::size_t n = m.rows;
  Matrix out(n, n);
  for (std::size_t i = 0; i < n; ++i) out.at(i, i) = 1;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    while (m.at(pivot, c) == 0) ++pivot;
    for (std::size_t k = 0; k < n; ++k) {
      std::swap(m.at(pivot, k), m.at(c, k));
      std::swap(out.at(pivot, k), out.at(c, k));
    }
    const Rational head = m.at(c, c);
    for (std::size_t k = 0; k < n; ++k) {
      m.at(c, k) /= head;
      out.at(c, k) /= head;
    }
    for (std::size_t r = 0; r < n; ++r) {
      const Rational factor = m.at(r, c);
      if (r == c || factor == 0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        m.at(r, k) -= factor * m.at(c, k);
        out.at(r, k) -= factor * out.at(c, k);
      }
    }
  }
  return out;
}

Matrix identity(std::size_t n) {
  Matrix out(n, n);
  for (std::size_t i = 0; i < n; ++i) out.at(i, i) = 1;
  return out;
}

// Rows of `data` become coprime integers; what that takes away goes into the weights.
void move_denominators(Matrix& data, Matrix& weights) {
  for (std::size_t r = 0; r < data.rows; ++r) {
    mpz_class denominators = 1;
    mpz_class numerators = 0;
    for (std::size_t c = 0; c < data.columns; ++c) {
      denominators = lcm(denominators, data.at(r, c).get_den());
      numerators = gcd(numerators, data.at(r, c).get_num());
    }
    if (numerators == 0) continue;
    Rational scale(denominators, numerators);
    scale.canonicalize();
    for (std::size_t c = 0; c < data.columns; ++c) data.at(r, c) *= scale;
    for (std::size_t k = 0; k < weights.columns; ++k) weights.at(r, k) /= scale;
  }
}

std::optional<std::size_t> column_of_ones(const Matrix& m) {
  for (std::size_t c = 0; c < m.columns; ++c) {
    bool ones = true;
    for (std::size_t r = 0; r < m.rows; ++r) ones = ones && m.at(r, c) == 1;
    if (ones) return c;
  }
  return std::nullopt;
}

// Stride 1: polynomial multiplication at the points, transposed.
std::optional<Tile> plain_tile(std::size_t outputs, std::size_t taps) {
  const std::size_t points = outputs + taps - 1;
  Tile out;
  if (taps == 1 || outputs == 1) {
    out.data = identity(points);
    out.weights = taps == 1 ? Matrix(points, 1) : identity(points);
    out.outputs = outputs == 1 ? Matrix(1, points) : identity(points);
    if (taps == 1) std::fill(out.weights.values.begin(), out.weights.values.end(), Rational(1));
    if (outputs == 1) std::fill(out.outputs.values.begin(), out.outputs.values.end(), Rational(1));
  } else {
    if (points > kMostPoints) return std::nullopt;
    out.data = inverse(transposed(evaluation(points, points)));
    out.weights = evaluation(points, taps);
    out.outputs = transposed(evaluation(points, outputs));
    move_denominators(out.data, out.weights);
  }
  out.bias_point = column_of_ones(out.outputs);
  return out;
}

// Algorithms over disjoint sets of taps, added up.
class Phases {
 public:
  Phases(Dim outputs, Dim taps, Dim stride)
      : outputs_(static_cast<std::size_t>(outputs)),
        taps_(static_cast<std::size_t>(taps)),
        stride_(static_cast<std::size_t>(stride)) {}

  std::optional<Tile> sum() {
    std::vector<Tile> parts;
    std::size_t points = 0;
    for (std::size_t phase = 0; phase < std::min(stride_, taps_); ++phase) {
      auto part = plain_tile(outputs_, (taps_ - phase + stride_ - 1) / stride_);
      if (!part) return std::nullopt;
      points += part->data.rows;
      parts.push_back(*std::move(part));
    }
    Tile out{Matrix(points, stride_ * (outputs_ - 1) + taps_), Matrix(points, taps_),
             Matrix(outputs_, points), std::nullopt};
    std::size_t first = 0;
    for (std::size_t phase = 0; phase < parts.size(); ++phase) {
      place(parts[phase], phase, first, out);
      first += parts[phase].data.rows;
    }
    out.bias_point = column_of_ones(out.outputs);
    return out;
  }

 private:
  void place(const Tile& part, std::size_t phase, std::size_t first, Tile& out) const {
    for (std::size_t p = 0; p < part.data.rows; ++p) {
      for (std::size_t e = 0; e < part.data.columns; ++e)
        out.data.at(first + p, stride_ * e + phase) = part.data.at(p, e);
      for (std::size_t k = 0; k < part.weights.columns; ++k)
        out.weights.at(first + p, stride_ * k + phase) = part.weights.at(p, k);
      for (std::size_t o = 0; o < outputs_; ++o)
        out.outputs.at(o, first + p) = part.outputs.at(o, p);
    }
  }

  std::size_t outputs_;
  std::size_t taps_;
  std::size_t stride_;
};

}  // namespace

double Tile::amplification() const {
  const auto size_of_row = [](const Matrix& m, std::size_t row) {
    double out = 0;
    for (std::size_t c = 0; c < m.columns; ++c) out += std::abs(to_double(m.at(row, c)));
    return out;
  };
  double worst = 0;
  for (std::size_t o = 0; o < outputs.rows; ++o) {
    double sum = 0;
    for (std::size_t p = 0; p < data.rows; ++p)
      sum += std::abs(to_double(outputs.at(o, p))) * size_of_row(weights, p) * size_of_row(data, p);
    worst = std::max(worst, sum);
  }
  return worst / static_cast<double>(weights.columns);
}

std::optional<Tile> toom_cook_tile(Dim outputs, Dim taps, Dim stride) {
  PET_CHECK(outputs > 0 && taps > 0 && stride > 0, "a tile has outputs, taps and a stride");
  return Phases(outputs, taps, stride).sum();
}

Tile direct_tile(Dim taps) { return *plain_tile(1, static_cast<std::size_t>(taps)); }

AxisAlgorithm tiled(const Correlation& axis, Tile tile) {
  // Outputs t' = step·i + phase read data of one residue: within each phase nothing is dilated.
  const Dim common = std::gcd(axis.stride, axis.dilation);
  const Dim phases = std::min(axis.dilation / common, axis.output);
  const Dim step = axis.dilation / common;
  const Dim stride = axis.stride / common;
  const auto outputs = static_cast<Dim>(tile.outputs.rows);
  std::vector<std::pair<Dim, Dim>> places;  // phase and first output of each tile
  for (Dim phase = 0; phase < phases; ++phase) {
    for (Dim first = 0; step * first + phase < axis.output; first += outputs)
      places.emplace_back(phase, first);
  }
  const std::size_t points = tile.data.rows;
  AxisAlgorithm out{static_cast<Dim>(places.size()), std::move(tile),
                    Matrix(places.size() * points, static_cast<std::size_t>(axis.input)),
                    Matrix(static_cast<std::size_t>(axis.output), places.size() * points)};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto [phase, first] = places[i];
    for (std::size_t p = 0; p < points; ++p) {
      for (std::size_t e = 0; e < out.tile.data.columns; ++e) {
        const Dim t =
            axis.dilation * (stride * first + static_cast<Dim>(e)) + axis.stride * phase - axis.pad;
        if (t >= 0 && t < axis.input)
          out.data.at(i * points + p, static_cast<std::size_t>(t)) = out.tile.data.at(p, e);
      }
      for (std::size_t o = 0; o < out.tile.outputs.rows; ++o) {
        const Dim t = step * (first + static_cast<Dim>(o)) + phase;
        if (t < axis.output)
          out.outputs.at(static_cast<std::size_t>(t), i * points + p) = out.tile.outputs.at(o, p);
      }
    }
  }
  return out;
}

std::optional<Blocks> blocks(const Correlation& axis, Dim outputs_of_a_tile, Dim longest) {
  if (std::max(axis.input, axis.output) <= longest) return Blocks{1, axis};
  const auto rounded_up = [](Dim n, Dim d) { return (n + d - 1) / d; };
  const Dim phases = axis.dilation / std::gcd(axis.stride, axis.dilation);
  const Dim unit = outputs_of_a_tile * phases;
  const Dim window = axis.dilation * (axis.taps - 1) + 1;
  // stride·(outputs − 1) + window inputs, stride·outputs of them its own.
  const Dim most = std::min(longest, (longest - window) / axis.stride + 1) / unit;
  if (window > longest || most < 1) return std::nullopt;
  const Dim units = rounded_up(axis.output, unit);
  const Dim outputs = unit * rounded_up(units, rounded_up(units, most));
  return Blocks{
      rounded_up(axis.output, outputs),
      {axis.stride * (outputs - 1) + window, outputs, axis.taps, axis.stride, axis.dilation, 0}};
}

std::optional<AxisAlgorithm> exchanged_roles(const Correlation& axis) {
  const auto input = static_cast<std::size_t>(axis.input);
  const auto output = static_cast<std::size_t>(axis.output);
  const std::size_t points = input + output - 1;
  if (axis.stride != 1 || axis.dilation != 1 || points > kMostPoints || points < 2)
    return std::nullopt;
  // The taps are the long sequence now, and the data, backwards, the short one.
  Matrix long_part = inverse(transposed(evaluation(points, points)));
  Matrix short_part = evaluation(points, input);
  Tile tile{Matrix(points, input), Matrix(points, static_cast<std::size_t>(axis.taps)),
            transposed(evaluation(points, output)), std::nullopt};
  for (std::size_t p = 0; p < points; ++p) {
    for (std::size_t i = 0; i < input; ++i) tile.data.at(p, i) = short_part.at(p, input - 1 - i);
    for (std::size_t u = 0; u < points; ++u) {
      const Dim k = axis.input - 1 + axis.pad - static_cast<Dim>(u);
      if (k >= 0 && k < axis.taps)
        tile.weights.at(p, static_cast<std::size_t>(k)) = long_part.at(p, u);
    }
  }
  tile.bias_point = column_of_ones(tile.outputs);
  return AxisAlgorithm{1, tile, tile.data, tile.outputs};
}

}  // namespace pet::mutation
