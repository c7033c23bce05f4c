// A program as it is drawn: the nodes that compute something from the inputs; each set of linear
// operators is one node until it is opened.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "viz/graph_layout/layered.h"

namespace pet::viz {

struct DrawnNode {
  // Slot: nothing stands here; where it does, it is something else.
  enum class Kind { Input, Linear, Other, Opaque, Set, Slot };
  Kind kind = Kind::Other;
  std::string id;                   // "node:N" of the program, or "set:N"
  std::string title;                // "Conv", "4 linear operators"
  std::string detail;               // the shape, or the operators of a set
  std::vector<NodeId> nodes;        // that it stands for
  std::optional<std::size_t> set;   // of an operator in a set that is open
  std::optional<Role> border = {};  // instead of that of its kind
  std::string badge = {};           // what is marked is hatched around, and says this in its corner
};

// What an edge carries, in words; where it comes from may have said it already.
struct EdgeWords {
  std::string shape;
  std::string value;  // its name and type
};

struct FoldedGraph {
  std::vector<DrawnNode> nodes;
  std::vector<LayoutEdge> edges;
  std::vector<EdgeWords> words;  // by edge
};

struct GraphDrawing {
  Scene scene;
  std::vector<Rect> places;  // by node
};

// `sets`: by node (core/program/linear_sets.h). `open`: those whose operators are drawn one by one;
// a set of one is always open. What follows from constants alone is not drawn.
FoldedGraph folded(const Graph& program, const std::vector<std::optional<std::size_t>>& sets,
                   const std::set<std::size_t>& open);

std::string shape_of(const Node& node);  // in words, where it is not known

GraphDrawing drawing_of(const FoldedGraph& graph);
LayoutNode size_of(const DrawnNode& node);
// Where they stand already. `sizes`: of the places, by node; `layout`: with a route for each edge.
GraphDrawing drawing_in(const FoldedGraph& graph, const std::vector<LayoutNode>& sizes,
                        const Layout& layout);
Scene graph_scene(const FoldedGraph& graph);  // of the drawing

}  // namespace pet::viz
