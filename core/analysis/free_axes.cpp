#include "core/analysis/free_axes.h"

#include <algorithm>
#include <optional>

namespace pet {
namespace {

bool touches(const Term& term, int axis, std::size_t operand, std::size_t dimension) {
  for (const Access& access : term.factors) {
    for (std::size_t d = 0; d < access.index.size(); ++d) {
      const bool here = static_cast<std::size_t>(access.operand) == operand && d == dimension;
      if (!here && access.index[d].depends_on(axis)) return true;
    }
  }
  return std::any_of(term.guards.begin(), term.guards.end(),
                     [&](const Guard& g) { return g.expr.depends_on(axis); });
}

// The one expression that reads `dimension` of `operand`, if all reads share it.
std::optional<IndexExpr> shared_index(const IndexedSum& sum, std::size_t operand,
                                      std::size_t dimension) {
  std::optional<IndexExpr> found;
  for (const Term& term : sum.terms) {
    for (const Access& access : term.factors) {
      if (static_cast<std::size_t>(access.operand) != operand) continue;
      if (found && *found != access.index[dimension]) return std::nullopt;
      found = access.index[dimension];
    }
  }
  return found;
}

}  // namespace

bool slides_along(const IndexExpr& index, int axis) {
  return std::all_of(index.parts().begin(), index.parts().end(), [&](const IndexExpr::Part& part) {
    return part.is_plain_axis() ||
           (part.axis >= 0 ? part.axis != axis : !part.inner->depends_on(axis));
  });
}

std::vector<AxisPair> free_axes(const Graph& graph, NodeId node, std::size_t operand) {
  const Meaning& meaning = graph.meaning(node);
  const Shape shape = graph.operand_shapes(node)[operand];
  std::vector<AxisPair> out;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto index = shared_index(meaning.sum, operand, d);
    if (!index) continue;
    for (std::size_t o = 0; o < meaning.sum.out.size(); ++o) {
      const int axis = static_cast<int>(o);
      if (!index->depends_on(axis) || !slides_along(*index, axis) || meaning.sum.out[o] < 1)
        continue;
      const auto& terms = meaning.sum.terms;
      if (std::any_of(terms.begin(), terms.end(),
                      [&](const Term& t) { return touches(t, axis, operand, d); }))
        continue;
      AxisPair pair{d, o, *index == v(axis) && meaning.sum.out[o] == shape[d]};
      pair.step = index->value_along(axis, 1) - index->value_along(axis, 0);
      if (pair.step < 1) continue;  // backwards
      for (const Term& term : terms) {
        const bool reads =
            std::any_of(term.factors.begin(), term.factors.end(), [&](const Access& access) {
              return static_cast<std::size_t>(access.operand) == operand;
            });
        if (!reads) continue;
        Shape extents = meaning.sum.out;
        extents.insert(extents.end(), term.reduce.begin(), term.reduce.end());
        const auto [low, high] = index->bounds(extents);
        pair.overhang = std::max({pair.overhang, -low, high - (shape[d] - 1)});
      }
      out.push_back(pair);
    }
  }
  return out;
}

}  // namespace pet
