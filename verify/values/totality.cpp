#include "verify/values/totality.h"

#include <algorithm>

namespace pet {

bool applies_partial_function(const Graph& graph, NodeId id) {
  if (!graph.has_meaning(id)) return false;
  const auto& applications = graph.meaning(id).applications;
  return std::any_of(applications.begin(), applications.end(), [](const Application& application) {
    return application.function->totality == Totality::Partial;
  });
}

}  // namespace pet
