#include "verify/values/step_limit.h"

namespace pet {
namespace {

double volume(const Shape& extents) {
  double out = 1;
  for (const Dim extent : extents) out *= static_cast<double>(extent);
  return out;
}

}  // namespace

double evaluation_steps(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.op() == nullptr) return 0;
  if (!graph.has_meaning(id)) return node.type.shape ? volume(*node.type.shape) : 1;
  const Meaning& meaning = graph.meaning(id);
  double steps = 0;
  for (const Application& application : meaning.applications) {
    const double looked_at = application.window ? volume(application.window->extent) : 0;
    steps += volume(application.out) * (1 + looked_at);
  }
  for (const Term& term : meaning.sum.terms) steps += volume(meaning.sum.out) * volume(term.reduce);
  return steps;
}

double evaluation_steps(const Graph& graph) {
  double steps = 0;
  for (const NodeId id : graph.ids()) steps += evaluation_steps(graph, id);
  return steps;
}

}  // namespace pet
