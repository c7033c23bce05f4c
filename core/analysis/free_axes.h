// What an operator does along the axes of one operand, read off its meaning: where it treats
// elements independently (a batch), and where it slides.
#pragma once

#include <vector>

#include "core/ir/graph.h"

namespace pet {

// Output axis `output` alone decides where dimension `operand` is read, and touches nothing else.
struct AxisPair {
  std::size_t operand = 0;
  std::size_t output = 0;
  bool batch = false;  // read at the very same index
  Dim step = 1;        // positions that one step of the output moves the read
  Dim overhang = 0;    // positions beyond the operand's ends that are read, at most
};

// Whether the axis moves the index by equal steps wherever it is.
bool slides_along(const IndexExpr& index, int axis);

std::vector<AxisPair> free_axes(const Graph& graph, NodeId node, std::size_t operand);

}  // namespace pet
