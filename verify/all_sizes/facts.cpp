#include "verify/all_sizes/facts.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace pet::all_sizes {
namespace {

// Fourier and Motzkin's elimination: a variable goes by adding every bound from below to every
// bound from above. Over the rationals that is exact; over whole numbers each row is first divided
// by what divides all of its coefficients, and its constant rounded down. Too many rows, or
// coefficients that grow: nothing is known.
constexpr std::size_t kMostRows = 200;
constexpr Dim kLargest = Dim{1} << 30;

using Row = Affine::Parts;

class Elimination {
 public:
  // False: contradictory by itself.
  bool put(const Affine& at_least_zero) {
    if (at_least_zero.is_constant()) return at_least_zero.constant() >= 0;
    Dim divisor = 0;
    for (const auto& [var, coefficient] : at_least_zero.parts()) {
      divisor = std::gcd(divisor, coefficient);
      gave_up_ = gave_up_ || coefficient > kLargest || coefficient < -kLargest;
    }
    const Dim constant = at_least_zero.constant();
    gave_up_ = gave_up_ || constant > kLargest || constant < -kLargest;
    if (gave_up_) return true;
    Row row = at_least_zero.parts();
    for (auto& [var, coefficient] : row) coefficient /= divisor;
    const auto [it, is_new] = rows_.emplace(std::move(row), floor_div(constant, divisor));
    if (!is_new) it->second = std::min(it->second, floor_div(constant, divisor));
    return true;
  }

  bool is_contradiction() {
    while (!gave_up_ && !rows_.empty()) {
      if (!eliminate(cheapest())) return true;
      gave_up_ = gave_up_ || rows_.size() > kMostRows;
    }
    return false;
  }

 private:
  // The variable whose elimination leaves the fewest rows.
  Var cheapest() const {
    std::map<Var, std::pair<std::size_t, std::size_t>> bounds;
    for (const auto& [row, constant] : rows_) {
      for (const auto& [var, coefficient] : row)
        ++(coefficient > 0 ? bounds[var].first : bounds[var].second);
    }
    const auto added = [](const auto& entry) { return entry.second.first * entry.second.second; };
    return std::min_element(bounds.begin(), bounds.end(),
                            [&](const auto& a, const auto& b) { return added(a) < added(b); })
        ->first;
  }

  bool eliminate(Var var) {
    std::vector<std::pair<Dim, Affine>> below;
    std::vector<std::pair<Dim, Affine>> above;
    for (auto it = rows_.begin(); it != rows_.end();) {
      Affine all(it->second);
      Dim own = 0;
      for (const auto& [other, coefficient] : it->first) {
        all += Affine::of(other, coefficient);
        if (other == var) own = coefficient;
      }
      if (own == 0) {
        ++it;
        continue;
      }
      (own > 0 ? below : above).emplace_back(own, std::move(all));
      it = rows_.erase(it);
    }
    for (const auto& [up, low] : below) {
      for (const auto& [down, high] : above) {
        if (!put(low * -down + high * up)) return false;
        if (gave_up_) return true;
      }
    }
    return true;
  }

  std::map<Row, Dim> rows_;
  bool gave_up_ = false;
};

}  // namespace

Facts Facts::with(Affine at_least_zero) const {
  Facts out = *this;
  out.known_.push_back(std::move(at_least_zero));
  return out;
}

bool Facts::speak_of(const Affine& e) const {
  return std::all_of(e.parts().begin(), e.parts().end(), [&](const auto& part) {
    return std::any_of(known_.begin(), known_.end(),
                       [&](const Affine& fact) { return fact.coefficient(part.var) != 0; });
  });
}

bool Facts::contradict() const {
  Elimination elimination;
  for (const Affine& e : known_) {
    if (!elimination.put(e)) return true;
  }
  return elimination.is_contradiction();
}

std::optional<bool> Facts::holds(const Affine& e) const {
  if (e.is_constant()) return e.constant() >= 0;
  if (with(negated(e)).contradict()) return true;
  if (with(e).contradict()) return false;
  return std::nullopt;
}

}  // namespace pet::all_sizes
