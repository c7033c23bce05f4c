#include "verify/values/totality.h"

#include <algorithm>

namespace pet {
namespace {

bool is_zero_somewhere(const Coef& coef) {
  const auto is_zero = [](const Rational& x) { return sgn(x) == 0; };
  return is_zero(coef.scale) || std::ranges::any_of(coef.tables, [&](const AxisTable& table) {
           return std::ranges::any_of(table.values, is_zero);
         });
}

}  // namespace

bool is_partial(const Application& application) {
  return application.function->totality == Totality::Partial;
}

bool applies_function(const Graph& graph, NodeId id) {
  return graph.has_meaning(id) && !graph.meaning(id).applications.empty();
}

bool applies_partial_function(const Graph& graph, NodeId id) {
  return graph.has_meaning(id) && std::ranges::any_of(graph.meaning(id).applications, is_partial);
}

bool multiplies_by_zero(const Graph& graph) {
  return std::ranges::any_of(graph.ids(), [&](NodeId id) {
    return graph.has_meaning(id) &&
           std::ranges::any_of(graph.meaning(id).sum.terms, [](const Term& term) {
             return !term.factors.empty() && is_zero_somewhere(term.coef);
           });
  });
}

}  // namespace pet
