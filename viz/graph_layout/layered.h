// Layered layout of a directed graph without cycles (Sugiyama, Tagawa and Toda 1981): layers by
// longest paths, order within a layer by barycentres, places by least squares. The same graph gives
// the same layout; no recursion, so that chains may be long.
#pragma once

#include <cstddef>
#include <vector>

#include "viz/geometry/scene.h"

namespace pet::viz {

struct LayoutNode {
  double width = 0;
  double height = 0;
};
struct LayoutEdge {
  std::size_t from = 0;  // numbers of nodes
  std::size_t to = 0;
  bool operator==(const LayoutEdge&) const = default;
};

struct LayoutGaps {
  double between_layers = 36;
  double between_nodes = 24;
};

struct Layout {
  std::vector<Point> centres;  // by node
  std::vector<std::vector<Point>>
      routes;  // by edge, from the lower side of one node to the upper side of the other
  double width = 0;
  double height = 0;
};

// REQUIRES: the edges make no cycle
Layout layered_layout(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
                      const LayoutGaps& gaps = {});

}  // namespace pet::viz
