#include "core/program/mutate/sliding_product.h"

#include <algorithm>

#include "core/ops/ops.h"
#include "core/program/views.h"

namespace pet {
namespace {

constexpr std::size_t kChannelAxis = 1;
constexpr std::size_t kFirstSlidingAxis = 2;

using mutation::Layer;
using mutation::LayerAxis;
using mutation::Role;
using Axes = std::vector<std::size_t>;

Axes joined(Axes a, const Axes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Axes of_role(const Layer& layer, const Axes& axes, Role role) {
  Axes out;
  std::copy_if(axes.begin(), axes.end(), std::back_inserter(out),
               [&](std::size_t a) { return layer.axes[a].role == role; });
  return out;
}

// Nothing but one axis of the data, if any, which the result has at the same place.
bool is_in_place(const Layer& layer, std::size_t dimension) {
  const Axes& axes = layer.data_dims[dimension];
  return axes.size() <= 1 && layer.result_dims[dimension] == axes;
}

// Groups outside of channels in the data, of features in the result and of both in the weight.
bool has_channels_in_order(const Layer& layer) {
  const Axes& data = layer.data_dims[kChannelAxis];
  const Axes& result = layer.result_dims[kChannelAxis];
  const Axes groups = of_role(layer, data, Role::Group);
  const Axes channels = of_role(layer, data, Role::Channel);
  return data == joined(groups, channels) &&
         result == joined(groups, of_role(layer, result, Role::Feature)) &&
         layer.weight_dims[0] == result && layer.weight_dims[1] == channels &&
         (!layer.bias || layer.bias_dims == mutation::AxisDims{result});
}

// Along an axis that is none of the layer's there is one position.
std::optional<Correlation> correlation(const Layer& layer, std::size_t dimension) {
  if (!is_in_place(layer, dimension)) return std::nullopt;
  const Axes& axes = layer.data_dims[dimension];
  Axes taps = axes;
  std::erase_if(taps, [&](std::size_t a) { return layer.axes[a].window.taps == 1; });
  if (layer.weight_dims[dimension] != taps) return std::nullopt;
  if (axes.empty()) return Correlation{};
  const LayerAxis& axis = layer.axes[axes[0]];
  if (axis.role != Role::Slide && axis.role != Role::Batch) return std::nullopt;
  return Correlation{.input = axis.data,
                     .output = axis.result,
                     .taps = axis.window.taps,
                     .stride = axis.window.stride,
                     .dilation = axis.window.dilation,
                     .pad = axis.window.before};
}

// Without sliding axes it is a matrix product.
Result<NodeId> emit_product(GraphBuilder& b, const Convolution& c) {
  auto weight = c.weight.build(b, c.product.weight_shape());
  if (!weight) return weight;
  auto turned = views::transpose(b, *weight, {1, 0});
  if (!turned) return turned;
  auto y = b.add(ops::mat_mul(), {}, {c.data, *turned});
  if (!y || !c.bias) return y;
  return add_bias(b, *y, *c.bias, kChannelAxis);
}

}  // namespace

Shape SlidingProduct::data_shape() const {
  Shape out = {batch, in_channels};
  for (const auto& axis : axes) out.push_back(axis.input);
  return out;
}

Shape SlidingProduct::weight_shape() const {
  Shape out = {out_channels, in_channels / groups};
  for (const auto& axis : axes) out.push_back(axis.taps);
  return out;
}

Shape SlidingProduct::result_shape() const {
  Shape out = {batch, out_channels};
  for (const auto& axis : axes) out.push_back(axis.output);
  return out;
}

double SlidingProduct::multiplications() const {
  double out =
      static_cast<double>(batch * out_channels) * static_cast<double>(in_channels / groups);
  for (const auto& axis : axes) out *= static_cast<double>(axis.output * axis.taps);
  return out;
}

TapWeights TapWeights::plain(NodeId node, std::size_t axes) {
  TapWeights out{node, {}, {}};
  for (std::size_t i = 0; i < axes; ++i) out.axes.emplace_back(kFirstSlidingAxis + i);
  return out;
}

Result<NodeId> TapWeights::build(GraphBuilder& b, const Shape& shape) const {
  auto points = combined_taps(b, node, combined);
  if (!points) return points;
  return views::reshape(b, *points, shape);
}

std::optional<SlidingProduct> sliding_product(const Layer& layer) {
  const std::size_t rank = layer.result_dims.size();
  if (rank < kFirstSlidingAxis || layer.data_dims.size() != rank ||
      layer.weight_dims.size() != rank || !is_in_place(layer, 0) || !has_channels_in_order(layer))
    return std::nullopt;
  SlidingProduct out;
  for (const LayerAxis& axis : layer.axes) {
    if (axis.role == Role::Group) out.groups *= axis.data;
    if (axis.role == Role::Group || axis.role == Role::Channel) out.in_channels *= axis.data;
    if (axis.role == Role::Group || axis.role == Role::Feature) out.out_channels *= axis.result;
  }
  for (const std::size_t axis : layer.data_dims[0]) {
    if (layer.axes[axis].role != Role::Batch) return std::nullopt;
    out.batch = layer.axes[axis].data;
  }
  for (std::size_t i = kFirstSlidingAxis; i < rank; ++i) {
    const auto axis = correlation(layer, i);
    if (!axis) return std::nullopt;
    out.axes.push_back(*axis);
  }
  return out;
}

Result<NodeId> emit(GraphBuilder& b, const Convolution& c) {
  const SlidingProduct& p = c.product;
  if (p.axes.empty() && p.groups == 1) return emit_product(b, c);
  if (p.axes.empty()) {
    Convolution with_axis = c;
    with_axis.product.axes.emplace_back();
    auto x = views::reshape(b, c.data, with_axis.product.data_shape());
    if (!x) return x;
    with_axis.data = *x;
    with_axis.weight.axes.emplace_back();
    auto y = emit(b, with_axis);
    if (!y) return y;
    return views::reshape(b, *y, p.result_shape());
  }
  Ints strides;
  Ints dilations;
  Ints pads;
  for (const auto& axis : p.axes) {
    strides.push_back(axis.stride);
    dilations.push_back(axis.dilation);
    pads.push_back(axis.pad);
  }
  for (const auto& axis : p.axes) pads.push_back(std::max<Dim>(0, axis.zeros_behind()));
  auto weight = c.weight.build(b, p.weight_shape());
  if (!weight) return weight;
  std::vector<NodeId> operands = {c.data, *weight};
  if (c.bias) operands.push_back(*c.bias);
  return b.add(ops::conv(),
               Attrs{{"group", p.groups},
                     {"strides", std::move(strides)},
                     {"dilations", std::move(dilations)},
                     {"pads", std::move(pads)}},
               std::move(operands));
}

Result<NodeId> add_bias(GraphBuilder& b, NodeId y, NodeId bias, std::size_t axis) {
  Shape spread(b.type(y).shape->size() - axis, 1);
  spread[0] = (*b.type(bias).shape)[0];
  auto shaped = views::reshape(b, bias, spread);
  if (!shaped) return shaped;
  return b.add(ops::add(), {}, {y, *shaped});
}

}  // namespace pet
