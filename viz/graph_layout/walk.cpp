#include "viz/graph_layout/walk.h"

#include <algorithm>
#include <cmath>

namespace pet::viz {
namespace {

Point middle(const Rect& at) { return {at.x + at.width / 2, at.y + at.height / 2}; }

std::vector<std::size_t> along_edges(const std::vector<LayoutEdge>& edges, std::size_t from,
                                     bool is_down) {
  std::vector<std::size_t> out;
  for (const LayoutEdge& edge : edges)
    if ((is_down ? edge.from : edge.to) == from) out.push_back(is_down ? edge.to : edge.from);
  return out;
}

std::vector<std::size_t> beside(const std::vector<Rect>& places, std::size_t from, bool is_right) {
  std::vector<std::size_t> out;
  const Point here = middle(places[from]);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Point there = middle(places[i]);
    const bool is_in_layer = std::abs(there.y - here.y) < 0.5;
    if (is_in_layer && (is_right ? there.x > here.x : there.x < here.x)) out.push_back(i);
  }
  return out;
}

}  // namespace

std::optional<std::size_t> neighbour(const std::vector<Rect>& places,
                                     const std::vector<LayoutEdge>& edges, std::size_t from,
                                     Direction direction) {
  const bool is_along = direction == Direction::Up || direction == Direction::Down;
  const auto candidates = is_along ? along_edges(edges, from, direction == Direction::Down)
                                   : beside(places, from, direction == Direction::Right);
  if (candidates.empty()) return std::nullopt;
  const Point here = middle(places[from]);
  return *std::ranges::min_element(candidates, {}, [&](std::size_t i) {
    const Point there = middle(places[i]);
    return std::hypot(there.x - here.x, there.y - here.y);
  });
}

}  // namespace pet::viz
