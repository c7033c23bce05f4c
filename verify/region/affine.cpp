#include "verify/region/affine.h"

#include <algorithm>

namespace pet::region {

Affine Affine::of(Var var, Dim coefficient) {
  Affine out;
  if (coefficient != 0) out.parts_.push_back({var, coefficient});
  return out;
}

Dim Affine::coefficient(Var var) const {
  for (const auto& [mine, coefficient] : parts_) {
    if (mine == var) return coefficient;
  }
  return 0;
}

std::pair<Dim, Dim> Affine::bounds(std::span<const Range> ranges) const {
  Dim low = constant_;
  Dim high = constant_;
  for (const auto& [var, coefficient] : parts_) {
    const Range& range = ranges[static_cast<std::size_t>(var)];
    const Dim a = coefficient * range.low;
    const Dim b = coefficient * (range.high - 1);
    low += std::min(a, b);
    high += std::max(a, b);
  }
  return {low, high};
}

Affine Affine::substitute(Var var, const Affine& value) const {
  Affine out = *this;
  out.put(var, value);
  return out;
}

void Affine::put(Var var, const Affine& value) {
  const auto found = std::ranges::find(parts_, var, &Part::var);
  if (found == parts_.end()) return;
  const Dim coefficient = found->coefficient;
  parts_.erase(found);
  *this += value * coefficient;
}

Affine& Affine::operator+=(const Affine& other) {
  constant_ += other.constant_;
  if (other.parts_.empty()) return *this;
  Parts sum;
  const Part* a = parts_.begin();
  const Part* b = other.parts_.begin();
  while (a != parts_.end() || b != other.parts_.end()) {
    if (b == other.parts_.end() || (a != parts_.end() && a->var < b->var)) {
      sum.push_back(*a++);
    } else if (a == parts_.end() || b->var < a->var) {
      sum.push_back(*b++);
    } else {
      const Dim coefficient = a->coefficient + b->coefficient;
      if (coefficient != 0) sum.push_back({a->var, coefficient});
      ++a;
      ++b;
    }
  }
  parts_ = std::move(sum);
  return *this;
}

Affine& Affine::operator*=(Dim factor) {
  constant_ *= factor;
  if (factor == 0) parts_.clear();
  for (Part& part : parts_) part.coefficient *= factor;
  return *this;
}

}  // namespace pet::region
