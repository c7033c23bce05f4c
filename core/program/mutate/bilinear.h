// Bilinear algorithms for a correlation along one axis, exactly: the products of a convolution in
// fewer multiplications (Toom-Cook, Winograd), as three fixed matrices.
//
//   y[t'] = Σ_k x[stride·t' + dilation·k − pad] w[k]     =     C · ((G w) ⊙ (B x))
//
// Nothing but the points that are evaluated at is chosen; everything else follows from them.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/shape.h"
#include "core/util/rational.h"

namespace pet::mutation {

struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Rational> values;  // row after row

  Matrix() = default;
  Matrix(std::size_t number_of_rows, std::size_t number_of_columns)
      : rows(number_of_rows), columns(number_of_columns), values(rows * columns) {}
  Rational& at(std::size_t row, std::size_t column) { return values[row * columns + column]; }
  const Rational& at(std::size_t row, std::size_t column) const {
    return values[row * columns + column];
  }
};

struct Correlation {
  Dim input = 1;
  Dim output = 1;
  Dim taps = 1;
  Dim stride = 1;
  Dim dilation = 1;
  Dim pad = 0;  // zeros in front; behind it as many as the output asks for

  // Reads each position in place: no window, nothing left out.
  bool is_pointwise() const { return taps == 1 && stride == 1 && pad == 0 && input == output; }
  Dim zeros_behind() const {
    return stride * (output - 1) + dilation * (taps - 1) + 1 - pad - input;
  }
};

// One tile: `outputs.rows` outputs out of `data.columns` neighbouring elements.
// data and outputs hold nothing but floats of few bits; every other denominator is in weights.
struct Tile {
  Matrix data;     // [points × elements]
  Matrix weights;  // [points × taps]
  Matrix outputs;  // [outputs × points]
  // A product that every output takes once, unscaled: what a bias is added to.
  std::optional<std::size_t> bias_point;

  Dim points() const { return static_cast<Dim>(data.rows); }
  // How much larger the sums of the sizes of all products become, of equal data and taps: what
  // rounding errors grow by.
  double amplification() const;
};

// `outputs` outputs of stride 1 or more, undilated, by outputs + taps − 1 points, or, for a larger
// stride, as the sum of its phases. Nothing where there are not that many good points.
std::optional<Tile> toom_cook_tile(Dim outputs, Dim taps, Dim stride);

// As many points as taps, one output: what a convolution is by definition.
Tile direct_tile(Dim taps);

// A tile laid along an axis, as often as it takes; the last one may reach beyond the end.
struct AxisAlgorithm {
  Dim tiles = 1;
  Tile tile;
  // The whole axis at once, zero padding and short ends included:
  Matrix data;     // [tiles·points × input], tile after tile
  Matrix outputs;  // [output × tiles·points]

  Dim points() const { return tile.points(); }
};

AxisAlgorithm tiled(const Correlation& axis, Tile tile);

// A long axis cut into equal blocks of outputs, each with the inputs that it reads.
struct Blocks {
  Dim number = 1;
  Correlation each;  // the axis itself where that is short enough; else unpadded

  Dim step() const { return each.stride * each.output; }  // from the inputs of one to the next
};

// As few as there are of whole tiles, `longest` inputs and outputs each at most, and even. Nothing
// where not even a tile of each phase is that short.
std::optional<Blocks> blocks(const Correlation& axis, Dim outputs_of_a_tile, Dim longest);

// The whole axis as one tile, with the parts of data and taps exchanged: as many products as there
// are inputs and outputs together, less one. Better where more taps than that meet only padding.
// Nothing where the axis is strided or dilated, or too long.
std::optional<AxisAlgorithm> exchanged_roles(const Correlation& axis);

}  // namespace pet::mutation
