// The boxes of a region as what a correction computes and writes over a mutant's result.
#pragma once

#include <vector>

#include "core/ir/box.h"
#include "core/program/correct/piece.h"

namespace pet {

// The region as boxes that take evenly spaced positions of every axis; a box whose digits do not is
// several.
Result<std::vector<Box>> regular_boxes(const Region& region);
// The positions along every axis. REQUIRES: a regular box
std::vector<Progression> positions(const DigitBasis& basis, const Box& box);

// `x` (of the factored shape) with a box replaced by `patch` (of that many elements, row-major):
// what lies before, beside and after it stays.
Result<NodeId> paste(GraphBuilder& b, NodeId x, const Box& box, NodeId patch);

}  // namespace pet
