#include "verify/values/totality.h"

#include <algorithm>

namespace pet {

bool is_partial(const Application& application) {
  return application.function->totality == Totality::Partial;
}

bool applies_function(const Graph& graph, NodeId id) {
  return graph.has_meaning(id) && !graph.meaning(id).applications.empty();
}

bool applies_partial_function(const Graph& graph, NodeId id) {
  return graph.has_meaning(id) && std::ranges::any_of(graph.meaning(id).applications, is_partial);
}

}  // namespace pet
