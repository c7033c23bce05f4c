// Groups of operators that people and runtimes treat as one: what a file spells out where ONNX (or
// the operator set of the file) has no operator for it. Found by what the operators mean, so that
// every spelling counts. This steers the search only: a composite is not cut into, and no proof
// looks at it.
#pragma once

#include <string_view>
#include <vector>

#include "core/ir/graph.h"

namespace pet {

enum class CompositeKind {
  Gate,           // x times a function of x, element by element: Gelu, SiLU, hard-swish
  Normalization,  // x against a mean of x along some axes: LayerNormalization, RMS
  Attention       // a product of two values, a function of its rows, a product with a third
};
std::string_view to_string(CompositeKind kind);

struct Composite {
  CompositeKind kind = CompositeKind::Gate;
  std::vector<NodeId> nodes;  // in order
};

// In order of their last operator; no two share one.
std::vector<Composite> find_composites(const Graph& graph);

}  // namespace pet
