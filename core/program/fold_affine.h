// Batch normalisations and other operators that scale and shift along one axis, folded into the
// weights of what they follow (PET: section 6.2, post-optimisation).
#pragma once

#include <vector>

#include "core/ir/graph.h"

namespace pet {

enum class FoldWhat { BatchNorms, ChannelMaps };

// What could be folded: an operator whose results scale with constant weights along an axis, and
// the maps along that axis which follow it, each of which reads the one before.
struct AffineChain {
  NodeId weighted;
  std::vector<NodeId> maps;  // in order, at least one
};

// No two have a node in common, and nothing else reads what stands inside of one. In order of the
// last map.
std::vector<AffineChain> foldable(const Graph& graph, FoldWhat what);

// `graph` with each of those as one operator, its bias an operand where the operator has one or
// room for one, else added to what it yields. The new weights are expressions over the old ones:
// ConstantFolder computes them.
// Beside others: also where something else reads what stands inside of a chain, and each part of a
// chain by itself; the operator then stands there several times, as files have it where two are
// alike and one is normalised.
enum class FoldBeside { Nobody, Others };
Result<Graph> fold_affine(const Graph& graph, FoldWhat what,
                          FoldBeside beside = FoldBeside::Nobody);

}  // namespace pet
