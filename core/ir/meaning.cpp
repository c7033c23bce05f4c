#include "core/ir/meaning.h"

#include <algorithm>

namespace pet {

bool Guard::holds(std::span<const Dim> axes) const { return holds_for(expr.value(axes)); }

Rational Coef::at(std::span<const Dim> axes) const {
  Rational c = scale;
  for (const AxisTable& table : tables) {
    c *= table.values[static_cast<std::size_t>(axes[static_cast<std::size_t>(table.axis)])];
  }
  return c;
}

bool all_hold(std::span<const Guard> guards, std::span<const Dim> axes) {
  return std::all_of(guards.begin(), guards.end(),
                     [&](const Guard& guard) { return guard.holds(axes); });
}

std::vector<IndexExpr> identity_index(const Shape& shape) {
  std::vector<IndexExpr> index;
  for (std::size_t i = 0; i < shape.size(); ++i) index.push_back(v(i));
  return index;
}

std::vector<IndexExpr> broadcast_index(const Shape& from, const Shape& to) {
  std::vector<IndexExpr> index;
  for (std::size_t i = 0; i < from.size(); ++i) {
    index.push_back(from[i] == 1 ? IndexExpr(0) : v(to.size() - from.size() + i));
  }
  return index;
}

IndexedSum read_in_place(int operand, const Shape& shape) {
  return {
      shape,
      {Term{
          .coef = {}, .reduce = {}, .guards = {}, .factors = {{operand, identity_index(shape)}}}}};
}

bool is_linear(const Meaning& meaning) { return meaning.applications.empty(); }

bool is_data_movement(const Meaning& meaning) {
  // Several terms (Concat) are movement only if at most one of them is alive at a position; its
  // reads are shifted copies whose ranges do not overlap, which the definition states by giving
  // every term a guard.
  const auto& terms = meaning.sum.terms;
  return meaning.applications.empty() &&
         std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
           return term.reduce.empty() && term.factors.size() == 1 && term.coef.scale == 1 &&
                  term.coef.tables.empty() && (terms.size() == 1 || !term.guards.empty());
         });
}

}  // namespace pet
