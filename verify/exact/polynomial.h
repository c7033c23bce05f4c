// Polynomials with rational coefficients in canonical form, each stored once: equal polynomials
// have equal ids, and nothing else has.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/util/id.h"
#include "core/util/rational.h"

namespace pet {

using Variable = Id<struct VariableTag>;
using PolynomialId = Id<struct PolynomialTag>;

// A product of variables, sorted; a power repeats its variable. Empty: 1.
using Monomial = std::vector<Variable>;

// Sorted by monomial, each once, no coefficient 0.
using Polynomial = std::vector<std::pair<Monomial, Rational>>;

// What a monomial of so many variables counts as.
std::size_t steps_of(std::size_t length);

// Sorts, adds up equal monomials and drops zeros.
Polynomial canonical(Polynomial terms);

class PolynomialPool {
 public:
  PolynomialPool();

  PolynomialId zero() const { return zero_; }
  PolynomialId constant(const Rational& value);
  PolynomialId variable(Variable variable);
  PolynomialId intern(Polynomial terms);  // REQUIRES: canonical
  const Polynomial& terms(PolynomialId id) const { return stored_[id.index()]; }
  std::size_t degree(PolynomialId id) const { return degrees_[id.index()]; }

  // Appends coefficient * Π factors to `sum`, not yet in canonical form. Nothing is appended, and
  // false returned, where that would take `room` or more products of monomials, or variables in
  // them: squared again and again, one monomial gets as long as it likes.
  bool add_product(const Rational& coefficient, std::span<const PolynomialId> factors,
                   std::size_t room, Polynomial& sum) const;

 private:
  std::deque<Polynomial> stored_;
  std::deque<std::size_t> degrees_;  // of each, the length of its longest monomial
  std::unordered_multimap<std::size_t, PolynomialId> by_hash_;
  PolynomialId zero_;
};

}  // namespace pet
