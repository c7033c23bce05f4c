// The boxes of the paper (PET, section 5): positions of the same summation interval, by split
// points of each dimension that every operator hands on. What else the theorem presupposes is not
// looked at: that indices are linear inside of a box, that factors are the same, that programs of
// several speeds need more positions.
#pragma once

#include "verify/theorem/boxes.h"

namespace pet::theorem {

// Of an output, between the split points of both programs; no digits but the axes themselves. An
// Error: indices that mix too many axes, or too many boxes.
Result<Boxes> published_boxes(const Program& original, NodeId original_output,
                              const Program& mutant, NodeId mutant_output);

}  // namespace pet::theorem
