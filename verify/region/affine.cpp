#include "verify/region/affine.h"

#include <algorithm>

namespace pet::region {

Affine Affine::of(Var var, Dim coefficient) {
  Affine out;
  if (coefficient != 0) out.parts_.emplace_back(var, coefficient);
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
  const Dim coefficient = this->coefficient(var);
  if (coefficient == 0) return *this;
  Affine out = *this;
  std::erase_if(out.parts_, [&](const auto& part) { return part.first == var; });
  return out += value * coefficient;
}

Affine& Affine::operator+=(const Affine& other) {
  constant_ += other.constant_;
  if (other.parts_.empty()) return *this;
  std::vector<std::pair<Var, Dim>> sum;
  sum.reserve(parts_.size() + other.parts_.size());
  auto a = parts_.begin();
  auto b = other.parts_.begin();
  while (a != parts_.end() || b != other.parts_.end()) {
    if (b == other.parts_.end() || (a != parts_.end() && a->first < b->first)) {
      sum.push_back(*a++);
    } else if (a == parts_.end() || b->first < a->first) {
      sum.push_back(*b++);
    } else {
      if (a->second + b->second != 0) sum.emplace_back(a->first, a->second + b->second);
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
  for (auto& part : parts_) part.second *= factor;
  return *this;
}

}  // namespace pet::region
