#include "core/search/exclude.h"

#include <algorithm>

#include "core/util/name_pattern.h"

namespace pet {
namespace {

bool is_excluded(const Subprogram& place, const Graph& graph,
                 const std::vector<std::string>& patterns) {
  return std::any_of(place.nodes.begin(), place.nodes.end(),
                     [&](NodeId id) { return matches_any(graph.node(id).name, patterns); });
}

}  // namespace

std::vector<SubprogramClass> included(std::vector<SubprogramClass> classes, const Graph& graph,
                                      const std::vector<std::string>& patterns) {
  for (SubprogramClass& same : classes)
    std::erase_if(same.places,
                  [&](const Subprogram& p) { return is_excluded(p, graph, patterns); });
  std::erase_if(classes, [](const SubprogramClass& same) { return same.places.empty(); });
  return classes;
}

}  // namespace pet
