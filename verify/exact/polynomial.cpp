#include "verify/exact/polynomial.h"

#include <algorithm>
#include <iterator>

namespace pet {
namespace {

// Only spreads polynomials over buckets; which are equal is decided by comparing them.
std::size_t hash_of(const Polynomial& terms) {
  std::size_t hash = terms.size();
  const auto mix = [&hash](std::size_t x) {
    hash = (hash ^ x) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  };
  for (const auto& [monomial, coefficient] : terms) {
    mix(monomial.size());
    for (const Variable x : monomial) mix(x.value);
    mix(coefficient.get_num().get_ui());
    mix(coefficient.get_den().get_ui());
  }
  return hash;
}

}  // namespace

// Long ones cost what is written down.
std::size_t steps_of(std::size_t length) {
  constexpr std::size_t kShort = 8;
  return std::max<std::size_t>(1, length / kShort);
}

namespace {

Monomial times(const Monomial& a, const Monomial& b) {
  Monomial product;
  product.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(product));
  return product;
}

}  // namespace

Polynomial canonical(Polynomial terms) {
  std::sort(terms.begin(), terms.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  Polynomial out;
  for (auto& term : terms) {
    if (!out.empty() && out.back().first == term.first) {
      out.back().second += term.second;
      continue;
    }
    if (!out.empty() && out.back().second == 0) out.pop_back();
    out.push_back(std::move(term));
  }
  if (!out.empty() && out.back().second == 0) out.pop_back();
  return out;
}

PolynomialPool::PolynomialPool() { zero_ = intern({}); }

PolynomialId PolynomialPool::constant(const Rational& value) {
  return value == 0 ? zero_ : intern({{Monomial{}, value}});
}

PolynomialId PolynomialPool::variable(Variable variable) {
  return intern({{Monomial{variable}, Rational(1)}});
}

PolynomialId PolynomialPool::intern(Polynomial terms) {
  const std::size_t hash = hash_of(terms);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (stored_[it->second.index()] == terms) return it->second;
  }
  const PolynomialId id(stored_.size());
  std::size_t degree = 0;
  for (const auto& [monomial, coefficient] : terms) degree = std::max(degree, monomial.size());
  stored_.push_back(std::move(terms));
  degrees_.push_back(degree);
  by_hash_.emplace(hash, id);
  return id;
}

bool PolynomialPool::add_product(const Rational& coefficient, std::span<const PolynomialId> factors,
                                 std::size_t room, Polynomial& sum) const {
  std::size_t products = 1;
  std::size_t longest = 1;
  for (const PolynomialId factor : factors) {
    const std::size_t size = terms(factor).size();
    if (size == 0) return true;
    if (products >= room / size + 1) return false;
    products *= size;
    longest += degree(factor);
  }
  if (products * steps_of(longest) >= room) return false;
  Polynomial product = {{Monomial{}, coefficient}};
  for (const PolynomialId factor : factors) {
    Polynomial next;
    next.reserve(product.size() * terms(factor).size());
    for (const auto& [a, x] : product) {
      for (const auto& [b, y] : terms(factor)) next.emplace_back(times(a, b), x * y);
    }
    product = factors.size() > 2 ? canonical(std::move(next)) : std::move(next);
  }
  sum.insert(sum.end(), std::make_move_iterator(product.begin()),
             std::make_move_iterator(product.end()));
  return true;
}

}  // namespace pet
