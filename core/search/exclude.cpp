#include "core/search/exclude.h"

#include <fnmatch.h>

#include <algorithm>

namespace pet {
namespace {

bool is_excluded(const Subprogram& place, const Graph& graph,
                 const std::vector<std::string>& patterns) {
  return std::any_of(place.nodes.begin(), place.nodes.end(), [&](NodeId id) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      return ::fnmatch(pattern.c_str(), graph.node(id).name.c_str(), 0) == 0;
    });
  });
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
