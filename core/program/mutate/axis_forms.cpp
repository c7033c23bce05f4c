#include "core/program/mutate/axis_forms.h"

#include <algorithm>
#include <numeric>

#include "core/ops/ops.h"
#include "core/program/mutate/matrix_nodes.h"
#include "core/program/views.h"

namespace pet::mutation {
namespace {

Dim extent(const GraphBuilder& b, NodeId x, std::size_t axis) { return (*b.type(x).shape)[axis]; }

// The axis `from` in place `to`, the others in their order.
std::vector<std::size_t> moved(std::size_t rank, std::size_t from, std::size_t to) {
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
  return order;
}

template <class T>
std::vector<T> without_axis(std::vector<T> axes, std::size_t axis, Leftover leftover) {
  axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(axis));
  if (leftover == Leftover::UnitAxis) axes.insert(axes.begin(), T{});
  return axes;
}

Dim volume_without(const SlidingProduct& p, std::size_t axis, Dim Correlation::*extent_of) {
  Dim out = 1;
  for (std::size_t i = 0; i < p.axes.size(); ++i) {
    if (i != axis) out *= p.axes[i].*extent_of;
  }
  return out;
}

// [batch, axis, channels, rest…] as the convolution's own layout, and the other way round.
Result<NodeId> to_front(GraphBuilder& b, NodeId x, std::size_t axis) {
  return views::transpose(b, x, moved(b.type(x).shape->size(), axis + 2, 1));
}

Result<NodeId> from_front(GraphBuilder& b, NodeId y, const SlidingProduct& p, std::size_t axis) {
  Shape shape = p.result_shape();
  const Dim length = shape[axis + 2];
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis + 2));
  shape.insert(shape.begin() + 1, length);
  auto parted = views::reshape(b, y, shape);
  if (!parted) return parted;
  return views::transpose(b, *parted, moved(shape.size(), 1, axis + 2));
}

// The bias where one product of each tile takes it, zero elsewhere.
Result<NodeId> bias_at(GraphBuilder& b, NodeId bias, std::size_t point, Dim points) {
  const Dim channels = extent(b, bias, 0);
  const auto before = static_cast<Dim>(point);
  return views::pad(b, bias, 0, before * channels, (points - 1 - before) * channels);
}

// constant · x over the last axis but one, batch by batch.
Result<NodeId> multiplied(GraphBuilder& b, const Matrix& matrix, NodeId x, Dim batch, Dim columns) {
  const auto depth = static_cast<Dim>(matrix.columns);
  auto flat =
      views::reshape(b, x, batch == 1 ? Shape{depth, columns} : Shape{batch, depth, columns});
  if (!flat) return flat;
  auto constant = float_matrix(b, matrix);
  if (!constant) return constant;
  return b.add(ops::mat_mul(), {}, {*constant, *flat});
}

}  // namespace

SlidingProduct inside_before_channels(const SlidingProduct& p, std::size_t axis, Dim tiles,
                                      Dim points, Leftover leftover) {
  return {p.batch * tiles, p.groups * points, p.in_channels * points, p.out_channels * points,
          without_axis(p.axes, axis, leftover)};
}

SlidingProduct inside_taps_to_channels(const SlidingProduct& p, std::size_t axis,
                                       Leftover leftover) {
  const Correlation& along = p.axes[axis];
  return {p.batch * along.output, p.groups, p.in_channels * along.taps, p.out_channels,
          without_axis(p.axes, axis, leftover)};
}

namespace {

// What each block reads, one after another along axis 1.
Result<NodeId> cut_into(GraphBuilder& b, NodeId x, const Correlation& along, const Blocks& blocks) {
  const Dim in_front = along.pad - blocks.each.pad;
  const Dim reach = blocks.step() * (blocks.number - 1) + blocks.each.input;
  auto padded = views::pad(b, x, 1, in_front, std::max<Dim>(0, reach - in_front - along.input));
  if (!padded) return padded;
  std::vector<NodeId> parts;
  for (Dim i = 0; i < blocks.number; ++i) {
    auto part = views::slice(b, *padded, 1, i * blocks.step(), blocks.each.input);
    if (!part) return part;
    parts.push_back(*part);
  }
  return views::concat(b, parts, 1);
}

}  // namespace

Result<NodeId> spread_before_channels(GraphBuilder& b, const Convolution& c, std::size_t axis,
                                      const Blocks& blocks, const AxisAlgorithm& algorithm,
                                      Leftover leftover, const Inner& inner) {
  const SlidingProduct& p = c.product;
  const Dim points = algorithm.points();
  const Dim batch = p.batch * blocks.number;
  Convolution inside{
      inside_before_channels(p, axis, blocks.number * algorithm.tiles, points, leftover), c.data,
      c.weight, std::nullopt};
  auto turned = to_front(b, c.data, axis);
  if (turned) turned = cut_into(b, *turned, p.axes[axis], blocks);
  if (!turned) return turned;
  auto spread = multiplied(b, algorithm.data, *turned, batch,
                           p.in_channels * volume_without(p, axis, &Correlation::input));
  if (!spread) return spread;
  auto data = views::reshape(b, *spread, inside.product.data_shape());
  if (!data) return data;
  inside.data = *data;
  // Their points are in front of the filters: none may be combined yet.
  if (!c.weight.combined.empty()) return Error{"an axis is combined already"};
  inside.weight.combined.push_back({*c.weight.axes[axis], algorithm.tile.weights});
  inside.weight.axes = without_axis(c.weight.axes, axis, leftover);
  const auto& bias_point = algorithm.tile.bias_point;
  if (c.bias && bias_point) {
    auto bias = bias_at(b, *c.bias, *bias_point, points);
    if (!bias) return bias;
    inside.bias = *bias;
  }
  auto products = inner(b, inside);
  if (!products) return products;
  const Dim rest = volume_without(p, axis, &Correlation::output);
  auto y = multiplied(b, algorithm.outputs, *products, batch, p.out_channels * rest);
  if (y) {
    const Dim all = blocks.number * blocks.each.output;
    y = views::reshape(b, *y, {p.batch, all, p.out_channels, rest});
  }
  if (y) y = views::slice(b, *y, 1, 0, p.axes[axis].output);
  if (y && c.bias && !bias_point) y = add_bias(b, *y, *c.bias, 2);
  if (!y) return y;
  return from_front(b, *y, p, axis);
}

namespace {

// The window of each output, one tap after another, along axis 3 of [batch, axis, groups, rest].
Result<NodeId> windows(GraphBuilder& b, NodeId x, const Correlation& along) {
  auto padded = views::pad(b, x, 1, along.pad, std::max<Dim>(0, along.zeros_behind()));
  if (!padded) return padded;
  std::vector<NodeId> taps;
  for (Dim k = 0; k < along.taps; ++k) {
    auto tap = views::slice(b, *padded, 1, k * along.dilation, along.output, along.stride);
    if (!tap) return tap;
    taps.push_back(*tap);
  }
  return views::concat(b, taps, 3);
}

}  // namespace

Result<NodeId> taps_to_channels(GraphBuilder& b, const Convolution& c, std::size_t axis,
                                Leftover leftover, const Inner& inner) {
  const SlidingProduct& p = c.product;
  const Correlation& along = p.axes[axis];
  Convolution inside{inside_taps_to_channels(p, axis, leftover), c.data, c.weight, c.bias};
  auto turned = to_front(b, c.data, axis);
  if (!turned) return turned;
  const Dim each = p.in_channels / p.groups * volume_without(p, axis, &Correlation::input);
  auto data = views::reshape(b, *turned, {p.batch, along.input, p.groups, each});
  if (!data) return data;
  data = windows(b, *data, along);
  if (!data) return data;
  data = views::reshape(b, *data, inside.product.data_shape());
  if (!data) return data;
  auto weight = c.weight.build(b, p.weight_shape());
  if (!weight) return weight;
  weight = to_front(b, *weight, axis);
  if (!weight) return weight;
  weight = views::reshape(b, *weight, inside.product.weight_shape());
  if (!weight) return weight;
  inside.data = *data;
  inside.weight = TapWeights::plain(*weight, inside.product.axes.size());
  auto y = inner(b, inside);
  if (!y) return y;
  return from_front(b, *y, p, axis);
}

}  // namespace pet::mutation
