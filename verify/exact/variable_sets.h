// Sets of variables, each held once: equal sets have equal numbers, and a union is made once.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "verify/exact/polynomial.h"

namespace pet {

class VariableSets {
 public:
  using Number = std::uint32_t;
  static constexpr Number kNone = 0;

  VariableSets() : sets_{&known_.emplace(std::vector<Variable>{}, kNone).first->first} {}
  VariableSets(const VariableSets&) = delete;
  VariableSets& operator=(const VariableSets&) = delete;

  // In order.
  const std::vector<Variable>& at(Number set) const { return *sets_[set]; }
  Number of(Variable variable) { return held({variable}); }

  // How many variables are looked at for a union: none where it is known.
  std::size_t cost(Number a, Number b) const {
    const bool is_known = a == b || a == kNone || b == kNone || unions_.contains(std::minmax(a, b));
    return is_known ? 0 : at(a).size() + at(b).size();
  }
  Number united(Number a, Number b) {
    if (a == b || b == kNone) return a;
    if (a == kNone) return b;
    const auto [it, is_new] = unions_.try_emplace(std::minmax(a, b), kNone);
    if (!is_new) return it->second;
    std::vector<Variable> both;
    std::ranges::set_union(at(a), at(b), std::back_inserter(both));
    return it->second = held(std::move(both));
  }

 private:
  Number held(std::vector<Variable> variables) {
    const auto [it, is_new] =
        known_.try_emplace(std::move(variables), static_cast<Number>(sets_.size()));
    if (is_new) sets_.push_back(&it->first);
    return it->second;
  }

  std::map<std::vector<Variable>, Number> known_;
  std::vector<const std::vector<Variable>*> sets_;  // by number
  std::map<std::pair<Number, Number>, Number> unions_;
};

}  // namespace pet
