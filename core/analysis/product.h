// An operator read by its meaning alone: a sum of products of one operand that is looked at (the
// data) and one that is carried along (the weight), with the role that each axis plays in it.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/graph.h"

namespace pet {

enum class AxisRole {
  Batch,    // data and result: independent elements
  Group,    // data, weight and result: independent products
  Channel,  // data and weight: summed over
  Feature,  // weight and result
  Slide     // data and result, the weight's taps laid over it
};

// Result position o reads data positions stride·o + dilation·k − before, zeros outside.
struct Slide {
  Dim taps = 1;
  Dim stride = 1;
  Dim dilation = 1;
  Dim before = 0;
  Dim after = 0;

  Dim reach() const { return dilation * (taps - 1) + 1; }
  Dim length(Dim data) const;  // of the result; < 1: there is none
  // `after` such that the result has that length; nullopt where no sensible padding does it.
  std::optional<Dim> after_for(Dim data, Dim result) const;
  bool moves_nothing() const { return taps == 1 && stride == 1 && before == 0 && after == 0; }
  bool operator==(const Slide&) const = default;
};

struct ProductAxis {
  AxisRole role = AxisRole::Batch;
  Dim data = 1;    // extent there; 1 where the axis is no axis of it
  Dim weight = 1;  // of a slide: the taps
  Dim result = 1;
  Slide slide = {};  // of a slide
};

// What the dimensions of a tensor consist of: axes, outermost first. Extents of 1 are no axes.
using AxisDims = std::vector<std::vector<std::size_t>>;

struct Product {
  NodeId node;
  NodeId data;
  NodeId weight;
  std::optional<NodeId> bias;  // added to every element of a feature
  std::vector<ProductAxis> axes;
  AxisDims data_dims;
  AxisDims weight_dims;
  AxisDims result_dims;
  AxisDims bias_dims;

  bool has(AxisRole role) const;
  bool same_but_features(const Product& other) const;
};

// The operator with that operand as its data; nullopt where it is no such product.
std::optional<Product> read_product(const Graph& graph, NodeId node, std::size_t data_operand);
// With the operand that makes most sense as data: one that is no constant, the first of them.
std::optional<Product> read_product(const Graph& graph, NodeId node);

}  // namespace pet
