// Products that slide over their data, with their axes in the order of a convolution: the batch,
// channels in groups, the axes along which it slides.
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/product.h"
#include "core/ir/builder.h"
#include "core/program/mutate/matrix_nodes.h"

namespace pet::mutation {

// data [batch, in_channels, axes…], weight [out_channels, in_channels / groups, taps…], bias
// [out_channels]; result [batch, out_channels, axes…].
struct SlidingProduct {
  Dim batch = 1;
  Dim groups = 1;
  Dim in_channels = 1;
  Dim out_channels = 1;
  std::vector<Correlation> axes;

  Shape data_shape() const;
  Shape weight_shape() const;
  Shape result_shape() const;
  double multiplications() const;
};

// What a product computes, where its axes stand in that order.
std::optional<SlidingProduct> sliding_product(const Product& product);

// A weight whose taps along some axes are combined into points: what is multiplied is made of it in
// one step, when it is known how.
struct TapWeights {
  NodeId node;
  std::vector<TapCombination> combined;  // the points of the first in front of all
  std::vector<std::optional<std::size_t>>
      axes;  // the node's axis for each of a convolution; or one tap

  static TapWeights plain(NodeId node, std::size_t axes);
  // The weight itself, in a shape of as many elements. REQUIRES: that of the product it is used in
  Result<NodeId> build(GraphBuilder& b, const Shape& shape) const;
};

// One in a program under construction.
struct Convolution {
  SlidingProduct product;
  NodeId data;
  TapWeights weight;
  std::optional<NodeId> bias;
};

// As an operator of the vocabulary. An Error where there is none of that many axes.
Result<NodeId> emit(GraphBuilder& b, const Convolution& convolution);

// `y` [batch, …, channels at `axis`, …] plus one number a channel.
Result<NodeId> add_bias(GraphBuilder& b, NodeId y, NodeId bias, std::size_t axis);

}  // namespace pet::mutation
