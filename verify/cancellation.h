// Whether a program sums what may cancel although no size tells it (conditioning.h): products, or
// numbers of several tensors.
#pragma once

#include "core/ir/graph.h"

namespace pet {

// Whether some output of the mutant needs such a sum as the same output of the original does not.
// Which sums are alike is read off what is summed: what is moved, summed alone, or multiplied by
// constants counts as the tensor it is made of, so that another layout or another form of a
// convolution makes no other sums.
// REQUIRES: as many outputs
bool may_cancel_unseen(const Graph& original, const Graph& mutant);

}  // namespace pet
