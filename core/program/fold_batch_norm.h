// Batch normalisations folded into the weights of what they normalise (PET: section 6.2,
// post-optimisation).
#pragma once

#include "core/ir/graph.h"

namespace pet {

// `graph` without the batch normalisations that follow an operator which nothing else reads, whose
// results scale with constant weights along the channels, and which has a bias or room for one. The
// new weights are expressions over the old ones: ConstantFolder computes them.
Result<Graph> fold_batch_norms(const Graph& graph);

// The normalisations that this would fold.
std::vector<NodeId> foldable_batch_norms(const Graph& graph);

}  // namespace pet
