// Two programs side by side, as they are drawn: one layout for both, so that what is unchanged
// stands at the same place of either picture, and what only one of them has leaves an empty place
// in the other. Runs of unchanged nodes that nothing changed is beside are one node until they are
// opened.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "core/program/counterparts.h"
#include "viz/graph_layout/folded.h"

namespace pet::viz {

// A place of both pictures.
struct ComparedCell {
  std::vector<NodeId> here, there;    // one at most, but for a run
  std::optional<std::size_t> change;  // its number; nothing: unchanged
  std::optional<NodeId> run;          // that it belongs to, by its first node here
  bool is_run() const { return here.size() > 1; }
};

struct ComparedGraph {
  std::vector<ComparedCell> cells;
  FoldedGraph here, there;  // a node for each cell; their ids are "cell:N"
};

struct FoldRuns {
  bool all = true;               // but those that are opened
  std::set<NodeId> opened = {};  // by their first node here
};

ComparedGraph compared(const Graph& here, const Graph& there, const Counterparts& counterparts,
                       const FoldRuns& fold);

struct ComparedDrawing {
  Scene here, there;         // of one size
  std::vector<Rect> places;  // of the cells, in both
};

ComparedDrawing drawing_of(const ComparedGraph& graph);

// Both pictures as one, each below its title.
Scene side_by_side(const Scene& here, const std::string& title_here, const Scene& there,
                   const std::string& title_there);

}  // namespace pet::viz
