// Batch normalisations folded into the weights of what they normalise (PET: section 6.2,
// post-optimisation).
#pragma once

#include "core/ir/graph.h"

namespace pet {

// `graph` without the batch normalisations that follow an operator which nothing else reads, whose
// results scale with constant weights along the channels, and which has a bias or room for one. The
// new weights are expressions over the old ones: ConstantFolder computes them.
// Beside others: also where something else reads that operator, which then stands there twice, as
// files have it where two operators are alike and one is normalised.
enum class FoldBeside { Nobody, Others };
Result<Graph> fold_batch_norms(const Graph& graph, FoldBeside beside = FoldBeside::Nobody);

// The normalisations that this would fold.
std::vector<NodeId> foldable_batch_norms(const Graph& graph);

}  // namespace pet
