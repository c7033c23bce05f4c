// From a bitmap to boxes: the wrong positions of an output as few disjoint boxes in a digit basis.
#pragma once

#include <vector>

#include "core/ir/box.h"
#include "core/ir/graph.h"

namespace pet {

// Disjoint boxes that together hold exactly the marked positions (row-major over the basis' shape).
// Every box is grown from its first uncovered position along the axes in the order that makes it
// largest; not always the fewest possible, but exact. Nothing where more than `limit` boxes would
// be needed.
std::vector<Box> cover(const std::vector<char>& marked, const Shape& factored, std::size_t limit);

// The digits of output `output` at which the reshapes that produce it cut its axes: the views
// between the output and the last operator that computes. Plain where there are none.
DigitBasis basis_of_views(const Graph& graph, NodeId output);

// The cover in the plain basis or in `basis`, whichever needs fewer boxes.
Region region_of(const std::vector<char>& marked, const Shape& shape, const DigitBasis& basis);

}  // namespace pet
