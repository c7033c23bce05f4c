// What is measured: a subprogram with its neighbours, as ONNX files. A layer alone lies; what a
// runtime does with it depends on the operators around it: it fuses some, and it hands values from
// one to the next in a layout of its own. Neighbours with such layouts are replaced by stand-ins
// that do the least work of their kind (OpDef::stand_in), next to the excerpt or further away.
#pragma once

#include <optional>

#include "core/ir/graph.h"
#include "core/program/subprogram.h"

namespace pet {

struct Excerpt {
  Graph original;
  std::vector<NodeId> inputs;  // of the subprogram, in `original`
  std::vector<NodeId> outputs;
};

// The subprogram with the operators up to `reach` steps before and behind it.
Excerpt excerpt_of(const Graph& source, const Subprogram& subprogram, std::size_t reach);

// Only with those that run in any order of axes (core/analysis/rearranged) and without stand-ins,
// so that a candidate that keeps its values in another order is not charged for what its neighbours
// want.
Excerpt movable_excerpt(const Graph& source, const Subprogram& subprogram, std::size_t reach);

// The movable excerpt between stand-ins: as it is, and with its values handed over in row-major
// order. The difference is what a runtime saves there by layouts of its own, and what the movable
// excerpt charges the original with. nullopt where it has no such neighbours.
struct LayoutExcerpts {
  Graph own_layout;
  Graph row_major;
};
std::optional<LayoutExcerpts> layout_excerpts(const Graph& source, const Subprogram& subprogram,
                                              std::size_t reach);

}  // namespace pet
