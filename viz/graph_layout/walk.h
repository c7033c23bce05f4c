// From one node of a picture to the next: along its edges up and down, to its neighbours left and
// right.
#pragma once

#include <optional>
#include <vector>

#include "viz/graph_layout/layered.h"

namespace pet::viz {

enum class Direction { Up, Down, Left, Right };

// Up and down: of the nodes that an edge leads to the one that is nearest; left and right: the next
// node of the same layer. `places`: of the nodes, as they are drawn. REQUIRES: from < places.size()
std::optional<std::size_t> neighbour(const std::vector<Rect>& places,
                                     const std::vector<LayoutEdge>& edges, std::size_t from,
                                     Direction direction);

}  // namespace pet::viz
