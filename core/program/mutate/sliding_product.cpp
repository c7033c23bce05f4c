#include "core/program/mutate/sliding_product.h"

#include <algorithm>

#include "core/ops/ops.h"
#include "core/program/views.h"

namespace pet::mutation {
namespace {

constexpr std::size_t kChannelAxis = 1;
constexpr std::size_t kFirstSlidingAxis = 2;

using Axes = std::vector<std::size_t>;

Axes joined(Axes a, const Axes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Axes of_role(const Product& product, const Axes& axes, AxisRole role) {
  Axes out;
  std::copy_if(axes.begin(), axes.end(), std::back_inserter(out),
               [&](std::size_t a) { return product.axes[a].role == role; });
  return out;
}

// Nothing but one axis of the data, if any, which the result has at the same place.
bool is_in_place(const Product& product, std::size_t dimension) {
  const Axes& axes = product.data_dims[dimension];
  return axes.size() <= 1 && product.result_dims[dimension] == axes;
}

// Groups outside of channels in the data, of features in the result and of both in the weight.
bool has_channels_in_order(const Product& product) {
  const Axes& data = product.data_dims[kChannelAxis];
  const Axes& result = product.result_dims[kChannelAxis];
  const Axes groups = of_role(product, data, AxisRole::Group);
  const Axes channels = of_role(product, data, AxisRole::Channel);
  return data == joined(groups, channels) &&
         result == joined(groups, of_role(product, result, AxisRole::Feature)) &&
         product.weight_dims[0] == result && product.weight_dims[1] == channels &&
         (!product.bias || product.bias_dims == AxisDims{result});
}

// Along an axis that is none of the product's there is one position.
std::optional<Correlation> correlation(const Product& product, std::size_t dimension) {
  if (!is_in_place(product, dimension)) return std::nullopt;
  const Axes& axes = product.data_dims[dimension];
  Axes taps = axes;
  std::erase_if(taps, [&](std::size_t a) { return product.axes[a].slide.taps == 1; });
  if (product.weight_dims[dimension] != taps) return std::nullopt;
  if (axes.empty()) return Correlation{};
  const ProductAxis& axis = product.axes[axes[0]];
  if (axis.role != AxisRole::Slide && axis.role != AxisRole::Batch) return std::nullopt;
  return Correlation{.input = axis.data,
                     .output = axis.result,
                     .taps = axis.slide.taps,
                     .stride = axis.slide.stride,
                     .dilation = axis.slide.dilation,
                     .pad = axis.slide.before};
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
  const Dim channels_read = in_channels / groups;  // groups divide them
  double out = static_cast<double>(batch * out_channels) * static_cast<double>(channels_read);
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

std::optional<SlidingProduct> sliding_product(const Product& product) {
  const std::size_t rank = product.result_dims.size();
  if (rank < kFirstSlidingAxis || product.data_dims.size() != rank ||
      product.weight_dims.size() != rank || !is_in_place(product, 0) ||
      !has_channels_in_order(product))
    return std::nullopt;
  SlidingProduct out;
  for (const ProductAxis& axis : product.axes) {
    if (axis.role == AxisRole::Group) out.groups *= axis.data;
    if (axis.role == AxisRole::Group || axis.role == AxisRole::Channel)
      out.in_channels *= axis.data;
    if (axis.role == AxisRole::Group || axis.role == AxisRole::Feature)
      out.out_channels *= axis.result;
  }
  for (const std::size_t axis : product.data_dims[0]) {
    if (product.axes[axis].role != AxisRole::Batch) return std::nullopt;
    out.batch = product.axes[axis].data;
  }
  for (std::size_t i = kFirstSlidingAxis; i < rank; ++i) {
    const auto axis = correlation(product, i);
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

}  // namespace pet::mutation
