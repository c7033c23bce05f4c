// The axes of a product by their roles, those joined that lie in memory as one.
#pragma once

#include <vector>

#include "core/analysis/product.h"

namespace pet::gpu {

// How far neighbours along each dimension lie apart, in the operands and the result of a product.
struct Layouts {
  std::vector<Dim> data, weight, result;
};
Layouts row_major(const Graph& graph, const Product& product);

struct AxisRun {
  ProductAxis axis;                                           // extents of all that were joined
  Dim data_stride = 0, weight_stride = 0, result_stride = 0;  // 0: it is no axis there
};

// In the order of the result (of channels: of the data), outermost first.
std::vector<AxisRun> runs_of(const Product& product, const Layouts& layouts, AxisRole role);

}  // namespace pet::gpu
