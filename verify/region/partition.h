// The boxes of an output on each of which two programs are the same sum of products, differ
// everywhere, or were not told apart.
#pragma once

#include "verify/region/cutting.h"
#include "verify/region/expansion.h"

namespace pet::region {

enum class Finding {
  Identical,    // the same canonical term list: no probability
  Different,    // term lists whose difference is no zero polynomial at any position
  NotIdentical  // neither was shown
};

struct Piece {
  std::vector<Range> box;  // by digit
  Finding finding = Finding::NotIdentical;
  bool inputs_only = false;  // what differs is made of nothing but inputs
};

Box box_of(const std::vector<Range>& ranges);

struct Partition {
  DigitBasis basis;
  std::vector<Piece> pieces;  // disjoint, together the whole output
  std::vector<Cut> cuts;      // `program` 0: of the original
};

struct PartitionLimits {
  std::size_t boxes = 4096;
  std::size_t products = 4'000'000;  // of all boxes together
  std::size_t steps = 4'000'000;     // of all expansions of the two programs
  // A box of so many positions in which nothing could be said is halved, down to single positions,
  // where polynomials decide.
  Dim looked_at_closely = 1024;
};

// Of outputs of one shape. An Error: why the question is beyond this engine.
Result<Partition> partition(Expander& original, NodeId original_output, Expander& mutant,
                            NodeId mutant_output, const LeafTable& leaves,
                            const PartitionLimits& limits = {});

// Everything but the identical boxes, as few disjoint boxes as a grid of all their ends allows.
Region not_identical(const Partition& partition);

}  // namespace pet::region
