// Operators that multiply data with weights while sliding over it, read off their meaning: which
// axis is the batch, which are channels and their groups, along which axes it slides and how.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/ir/builder.h"
#include "core/program/mutate/matrix_nodes.h"

namespace pet {

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

// Which operands of an operator they are, and what it computes of them.
struct SlidingOperator {
  SlidingProduct product;
  std::size_t data = 0;
  std::size_t weight = 0;
  std::optional<std::size_t> bias;
};

// Nothing where the operator is none, or has its axes in another order.
std::optional<SlidingOperator> read_sliding_operator(const Op& op, std::span<const Shape> operands);

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

}  // namespace pet
