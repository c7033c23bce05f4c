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

namespace {

// Several terms (Concat) are movement only if at most one of them is alive at a position; its
// reads are shifted copies whose ranges do not overlap, which the definition states by giving
// every term a guard.
bool moves_elements(const IndexedSum& sum) {
  return std::ranges::all_of(sum.terms, [&](const Term& term) {
    return term.reduce.empty() && term.factors.size() == 1 && term.coef.scale == 1 &&
           term.coef.tables.empty() && (sum.terms.size() == 1 || !term.guards.empty());
  });
}

}  // namespace

bool is_data_movement(const Meaning& meaning) {
  return meaning.applications.empty() && moves_elements(meaning.sum);
}

Made made_of(const Meaning& meaning, std::vector<Finiteness> operands) {
  auto& numbers = operands;  // of applications, too
  const auto of = [&](const Access& access) {
    return numbers[static_cast<std::size_t>(access.operand)];
  };
  for (const Application& one : meaning.applications) {
    Finiteness worst = one.window ? of(one.window->read) : Finiteness::Finite;
    for (const Access& element : one.elements) worst = std::max(worst, of(element));
    numbers.push_back(worst == Finiteness::MaybeInfinite ? one.function->at_infinity : worst);
  }
  Made out;
  std::size_t terms = 0;
  bool is_added_as_it_is = true;
  for (const Term& term : meaning.sum.terms) {
    Finiteness worst = Finiteness::Finite;
    for (const Access& factor : term.factors) worst = std::max(worst, of(factor));
    if (worst == Finiteness::Finite) continue;
    ++terms;
    out.numbers = std::max(out.numbers, worst);
    is_added_as_it_is = is_added_as_it_is && term.factors.size() == 1 && term.reduce.empty() &&
                        term.coef.tables.empty() && term.coef.scale != 0;
  }
  if (terms == 0) return out;
  out.fate = moves_elements(meaning.sum) ? Fate::Moved : Fate::Computed;
  // Infinity times 0, and two of them with different signs, are no number.
  if (out.fate == Fate::Computed && (terms > 1 || !is_added_as_it_is))
    out.numbers = Finiteness::MaybeNoNumber;
  return out;
}

}  // namespace pet
