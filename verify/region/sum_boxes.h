// A value of one program by itself: the boxes on each of which it is one sum of products of leaves
// (PET, section 5.1: split points), and that sum.
#pragma once

#include "verify/region/cutting.h"
#include "verify/region/expansion.h"
#include "verify/region/term_list.h"

namespace pet::region {

struct SumBoxes {
  DigitBasis basis;
  std::vector<std::vector<Range>> boxes;  // disjoint, together the whole value
  std::vector<Cut> cuts;
  std::vector<DigitSplit> splits;
};

struct SumLimits {
  std::size_t boxes = 4096;
  std::size_t products = 1'000'000;  // of all boxes together
  std::size_t steps = 1'000'000;
};

// An Error: why that is beyond this engine. REQUIRES: the value has a shape that is known
Result<SumBoxes> sum_boxes(Expander& expander, NodeId value, const SumLimits& limits = {});

// Digits stay variables, those too that stand still in the box (but not in the basis): so sums of
// different boxes can be held against each other. An Error: beyond the engine, or not one sum.
Result<TermList::Terms> sum_over(Expander& expander, NodeId value, const DigitBasis& basis,
                                 const std::vector<Range>& box);

}  // namespace pet::region
