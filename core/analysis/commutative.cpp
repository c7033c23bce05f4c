#include "core/analysis/commutative.h"

#include <algorithm>
#include <array>

namespace pet {
namespace {

int exchanged(int operand) { return 1 - operand; }

bool is_same(const Access& a, const Access& b) {
  return a.operand == exchanged(b.operand) && a.index == b.index;
}

// Of tables there are none in a sum or product of two operands.
bool is_same(const Term& a, const Term& b) {
  return a.reduce.empty() && b.reduce.empty() && a.guards.empty() && b.guards.empty() &&
         a.coef.tables.empty() && b.coef.tables.empty() && a.coef.scale == b.coef.scale &&
         std::ranges::is_permutation(
             a.factors, b.factors, [](const Access& x, const Access& y) { return is_same(x, y); });
}

}  // namespace

bool is_commutative(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.operands.size() != 2 || !graph.has_meaning(id) || !node.type.shape) return false;
  const std::array<Shape, 2> shapes = {*node.type.shape, *node.type.shape};
  const auto meaning = meaning_of(*node.op(), shapes, {});
  if (!meaning || !meaning->applications.empty()) return false;
  const auto& terms = meaning->sum.terms;
  return std::ranges::is_permutation(terms, terms,
                                     [](const Term& a, const Term& b) { return is_same(a, b); });
}

}  // namespace pet
