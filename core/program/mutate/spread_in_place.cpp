#include "core/program/mutate/spread_in_place.h"

#include <algorithm>

#include "core/ops/ops.h"
#include "core/program/mutate/matrix_nodes.h"
#include "core/program/views.h"

namespace pet::mutation {
namespace {

// What stands in front of an axis and behind it, with `middle` in its place.
Shape around(const Shape& shape, std::size_t axis, std::initializer_list<Dim> middle) {
  Shape out(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(axis));
  out.insert(out.end(), middle);
  out.insert(out.end(), shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape.end());
  return out;
}

// Two products that take part in every output with the same factor, or with opposite ones.
struct Pair {
  std::size_t first;
  std::size_t second;
};

std::optional<Pair> partner(const Matrix& outputs, std::size_t first) {
  for (std::size_t second = first + 1; second < outputs.columns; ++second) {
    bool same = false;
    bool opposite = false;
    bool neither = false;
    for (std::size_t o = 0; o < outputs.rows; ++o) {
      const Rational& x = outputs.at(o, first);
      const Rational& y = outputs.at(o, second);
      same = same || (x == y && x != 0);
      opposite = opposite || (x == -y && x != 0);
      neither = neither || (x != y && x != -y);
    }
    if (same && opposite && !neither) return Pair{first, second};
  }
  return std::nullopt;
}

Dim tiles_along(const Correlation& along, const Tile& tile) {
  const Dim each = along.dilation * static_cast<Dim>(tile.outputs.rows);
  return (along.output + each - 1) / each;
}

class InPlace {
 public:
  InPlace(GraphBuilder& b, const Convolution& c, std::size_t axis, const Tile& tile,
          const Inner& inner)
      : b_(b),
        c_(c),
        axis_(axis),
        along_(c.product.axes[axis]),
        tile_(tile),
        inner_(inner),
        phases_(along_.dilation),
        outputs_(static_cast<Dim>(tile.outputs.rows)),
        tiles_(tiles_along(along_, tile)) {}

  Result<NodeId> build() {
    if (along_.dilation > 1 && (along_.stride > 1 || axis_ + 1 == c_.product.axes.size()))
      return Error{"phases of a strided or of the last axis have no place to go"};
    auto x = by_phases();
    if (!x) return x;
    for (std::size_t p = 0; p < tile_.data.rows; ++p) {
      auto product = product_at(*x, p);
      if (!product) return product;
      products_.push_back(*product);
    }
    if (auto done = add_pairs(); !done) return std::move(done).error();
    std::vector<NodeId> rows;
    for (std::size_t o = 0; o < tile_.outputs.rows; ++o) {
      auto row = output(o);
      if (!row) return row;
      rows.push_back(*row);
    }
    return interleaved(rows);
  }

 private:
  std::size_t place() const { return axis_ + 2; }

  // Rows of one residue modulo the dilation are neighbours: they lie beside each other along the
  // axis behind.
  Result<NodeId> by_phases() {
    if (phases_ == 1) return c_.data;
    const Dim before = along_.pad % phases_;
    const Dim length = (before + along_.input + phases_ - 1) / phases_ * phases_;
    auto padded = views::pad(b_, c_.data, place(), before, length - before - along_.input);
    if (!padded) return padded;
    Shape shape = *b_.type(*padded).shape;
    shape[place()] /= phases_;
    shape[place() + 1] *= phases_;
    return views::reshape(b_, *padded, shape);
  }

  // One point of every tile, all channels alike.
  Result<NodeId> cut(NodeId x, std::size_t point) {
    const Shape shape = *b_.type(x).shape;
    Convolution points{{c_.product.batch, shape[1], shape[1], shape[1], {}}, x, {}, std::nullopt};
    for (std::size_t i = 2; i < shape.size(); ++i)
      points.product.axes.push_back({shape[i], shape[i], 1, 1, 1, 0});
    const auto elements = static_cast<Dim>(tile_.data.columns);
    points.product.axes[axis_] = {shape[place()],           tiles_, elements,
                                  along_.stride * outputs_, 1,      along_.pad / phases_};
    std::vector<Rational> kernel;
    for (Dim channel = 0; channel < shape[1]; ++channel) {
      for (std::size_t e = 0; e < tile_.data.columns; ++e)
        kernel.push_back(tile_.data.at(point, e));
    }
    auto weight = float_tensor_node(b_, points.product.weight_shape(), kernel);
    if (!weight) return weight;
    points.weight = TapWeights::plain(*weight, points.product.axes.size());
    auto cut = emit(b_, points);
    if (!cut) return cut;
    Shape tiles = c_.product.data_shape();
    tiles[place()] = tiles_ * phases_;
    return views::reshape(b_, *cut, tiles);
  }

  Result<NodeId> product_at(NodeId x, std::size_t point) {
    auto data = cut(x, point);
    if (!data) return data;
    Matrix row(1, tile_.weights.columns);
    for (std::size_t k = 0; k < row.columns; ++k) row.at(0, k) = tile_.weights.at(point, k);
    Convolution inside{inside_in_place(c_.product, axis_, tile_), *data, c_.weight, std::nullopt};
    auto& taken = inside.weight.axes[axis_];
    if (!taken) return Error{"an axis of one tap"};
    inside.weight.combined.push_back({*taken, std::move(row)});
    taken.reset();
    if (tile_.bias_point == point) inside.bias = c_.bias;
    return inner_(b_, inside);
  }

  // Sum and difference in place of the two products: each output then takes one of them.
  Status add_pairs() {
    sums_.resize(products_.size());
    differences_.resize(products_.size());
    taken_.assign(products_.size(), 0);
    for (std::size_t p = 0; p < products_.size(); ++p) {
      const auto pair = taken_[p] != 0 ? std::nullopt : partner(tile_.outputs, p);
      if (!pair || taken_[pair->second] != 0) continue;
      auto sum = b_.add(ops::add(), {}, {products_[p], products_[pair->second]});
      if (!sum) return std::move(sum).error();
      auto difference = b_.add(ops::sub(), {}, {products_[p], products_[pair->second]});
      if (!difference) return std::move(difference).error();
      sums_[p] = *sum;
      differences_[p] = *difference;
      taken_[pair->second] = 1;
      partner_.emplace_back(*pair);
    }
    return Done{};
  }

  NodeId part(std::size_t output, std::size_t point) const {
    for (const Pair& pair : partner_) {
      if (pair.first != point) continue;
      const bool same = tile_.outputs.at(output, point) == tile_.outputs.at(output, pair.second);
      return same ? sums_[point] : differences_[point];
    }
    return products_[point];
  }

  Result<NodeId> output(std::size_t o) {
    std::optional<NodeId> total;
    for (std::size_t p = 0; p < products_.size(); ++p) {
      const Rational& factor = tile_.outputs.at(o, p);
      if (taken_[p] != 0 || factor == 0) continue;
      Result<NodeId> term = part(o, p);
      if (factor != 1)
        term =
            b_.add(ops::mul(), {}, {*term, b_.add_scalar(static_cast<float>(to_double(factor)))});
      if (!term) return term;
      if (total) term = b_.add(ops::add(), {}, {*total, *term});
      if (!term) return term;
      total = *term;
    }
    if (!total) return Error{"an output of no products"};
    if (!c_.bias || tile_.bias_point) return *total;
    return add_bias(b_, *total, *c_.bias, 1);
  }

  Result<NodeId> interleaved(const std::vector<NodeId>& rows) {
    const Shape shape = c_.product.result_shape();
    const bool last = place() + 1 == shape.size();
    Shape parted = around(shape, place(), {tiles_, 1});
    if (!last) parted[place() + 2] *= phases_;
    std::vector<NodeId> pieces;
    for (const NodeId row : rows) {
      auto piece = views::reshape(b_, row, parted);
      if (!piece) return piece;
      pieces.push_back(*piece);
    }
    auto together = views::concat(b_, pieces, place() + 1);
    if (!together) return together;
    auto whole =
        views::reshape(b_, *together, around(shape, place(), {tiles_ * outputs_ * phases_}));
    if (!whole) return whole;
    return views::slice(b_, *whole, place(), 0, along_.output);
  }

  GraphBuilder& b_;
  const Convolution& c_;
  std::size_t axis_;
  const Correlation& along_;
  const Tile& tile_;
  const Inner& inner_;
  Dim phases_;
  Dim outputs_;
  Dim tiles_;
  std::vector<NodeId> products_;
  std::vector<NodeId> sums_;
  std::vector<NodeId> differences_;
  std::vector<char> taken_;
  std::vector<Pair> partner_;
};

}  // namespace

SlidingProduct inside_in_place(const SlidingProduct& product, std::size_t axis, const Tile& tile) {
  SlidingProduct out = product;
  const Dim positions = tiles_along(product.axes[axis], tile) * product.axes[axis].dilation;
  out.axes[axis] = {positions, positions, 1, 1, 1, 0};
  return out;
}

Result<NodeId> spread_in_place(GraphBuilder& b, const Convolution& convolution, std::size_t axis,
                               const Tile& tile, const Inner& inner) {
  return InPlace(b, convolution, axis, tile, inner).build();
}

}  // namespace pet::mutation
