#include "core/rewrite/sizes.h"

#include <algorithm>

namespace pet::rules {
namespace {

// No tensor is that large: a size that would be larger stays there, far from overflow, and what has
// it is refused when it is built. A hostile rule doubles sizes as often as it has operators.
constexpr Dim kBeyond = Dim{1} << 48;

Dim bounded(Dim x) { return std::clamp(x, -kBeyond, kBeyond); }

Dim bounded_product(Dim a, Dim b) {
  Dim out = 0;
  if (__builtin_mul_overflow(a, b, &out)) return (a < 0) == (b < 0) ? kBeyond : -kBeyond;
  return bounded(out);
}

// Nothing where it is none, or beyond.
std::optional<Dim> whole(const Rational& x) {
  if (x.get_den() != 1 || abs(x) >= kBeyond) return std::nullopt;
  return x.get_num().get_si();
}

void subtract(Sizes::Equation& from, const Sizes::Equation& row, const Rational& times) {
  for (const auto& [number, factor] : row.parts) {
    Rational& into = from.parts[number];
    into -= times * factor;
    if (into == 0) from.parts.erase(number);
  }
  from.constant -= times * row.constant;
}

}  // namespace

Size Size::unknown(std::size_t number) {
  Size out;
  out.parts_[number] = 1;
  return out;
}

Dim Size::at(const std::vector<Dim>& values) const {
  Dim out = constant_;
  for (const auto& [number, factor] : parts_)
    out = bounded(out + bounded_product(factor, values[number]));
  return out;
}

bool Size::is_beyond() const {
  const auto beyond = [](Dim x) { return x >= kBeyond || x <= -kBeyond; };
  return beyond(constant_) || std::any_of(parts_.begin(), parts_.end(),
                                          [&](const auto& part) { return beyond(part.second); });
}

Size& Size::operator+=(const Size& other) {
  constant_ = bounded(constant_ + other.constant_);
  for (const auto& [number, factor] : other.parts_) {
    Dim& into = parts_[number];
    into = bounded(into + factor);
    if (into == 0) parts_.erase(number);
  }
  return *this;
}

Size operator*(Size a, Dim factor) {
  if (factor == 0) return {};
  a.constant_ = bounded_product(a.constant_, factor);
  for (auto& [number, x] : a.parts_) x = bounded_product(x, factor);
  return a;
}

Size Sizes::unknown(Dim least, Dim most) {
  bounds_.push_back({least, most, 0, false});
  return Size::unknown(bounds_.size() - 1);
}

Size Sizes::made() {
  const Size out = unknown(1, kLargestSize);
  bounds_.back().is_made = true;
  return out;
}

bool Sizes::is_made(const Size& size) const {
  return std::any_of(size.parts().begin(), size.parts().end(),
                     [&](const auto& part) { return bounds_[part.first].is_made; });
}

void Sizes::widen(const Size& size, Dim by) {
  for (const auto& [number, factor] : size.parts()) bounds_[number].widened += by;
}

// Unknowns of small factors first: then whole numbers stay whole where they can.
std::optional<Sizes::Solved> Sizes::solved() const {
  Solved out;
  for (const Size& equation : zero_) {
    Equation row;
    row.constant = equation.constant();
    for (const auto& [number, factor] : equation.parts()) row.parts[number] = factor;
    for (const auto& [pivot, known] : out) {
      const auto it = row.parts.find(pivot);
      if (it != row.parts.end()) subtract(row, known, Rational(it->second));
    }
    if (row.parts.empty()) {
      if (row.constant != 0) return std::nullopt;
      continue;
    }
    const auto chosen = std::min_element(
        row.parts.begin(), row.parts.end(),
        [](const auto& a, const auto& b) { return abs(a.second) < abs(b.second); });
    const std::size_t pivot = chosen->first;
    const Rational factor = chosen->second;
    for (auto& [number, x] : row.parts) x /= factor;
    row.constant /= factor;
    for (auto& [number, other] : out) {
      const auto it = other.parts.find(pivot);
      if (it != other.parts.end()) subtract(other, row, Rational(it->second));
    }
    out.emplace(pivot, std::move(row));
  }
  return out;
}

std::optional<std::vector<Dim>> Sizes::draw(const Solved& equations, Rng& rng,
                                            bool is_widened) const {
  // What may be larger and follows from others is larger where those are.
  std::vector<Dim> widened;
  for (const Bounds& bounds : bounds_) widened.push_back(is_widened ? bounds.widened : 0);
  for (const auto& [number, row] : equations) {
    for (const auto& [other, factor] : row.parts) {
      if (other != number && is_widened)
        widened[other] = std::max(widened[other], bounds_[number].widened);
    }
  }
  std::vector<Dim> values(bounds_.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (equations.contains(i)) continue;
    values[i] = rng.between(bounds_[i].least, bounds_[i].most + widened[i]);
  }
  for (const auto& [number, row] : equations) {
    Rational value = -row.constant;
    for (const auto& [other, factor] : row.parts) {
      if (other != number) value -= factor * values[other];
    }
    // What follows from other sizes may be larger than what is drawn. (Too large to be looked at is
    // for others to say.)
    constexpr Dim kLargest = Dim{1} << 30;
    if (value.get_den() != 1 || value < bounds_[number].least || value > kLargest)
      return std::nullopt;
    values[number] = value.get_num().get_si();
  }
  const bool all_hold = std::all_of(positive_.begin(), positive_.end(),
                                    [&](const Size& size) { return size.at(values) >= 0; });
  return all_hold ? std::optional(std::move(values)) : std::nullopt;
}

std::optional<Sizes::Solution> Sizes::solution() const {
  const auto equations = solved();
  if (!equations) return std::nullopt;
  Solution out;
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    const auto equation = equations->find(i);
    if (equation == equations->end()) {
      out.free.push_back(i);
      out.values.push_back(Size::unknown(i));
    } else {
      const Equation& row = equation->second;
      const auto constant = whole(row.constant);
      if (!constant) return std::nullopt;
      Size value = -*constant;
      for (const auto& [other, factor] : row.parts) {
        const auto times = whole(factor);
        if (!times) return std::nullopt;
        if (other != i) value += Size::unknown(other) * -*times;
      }
      out.values.push_back(std::move(value));
    }
    out.at_least_zero.push_back(out.values.back() - bounds_[i].least);
  }
  for (const Size& size : positive_) {
    Size value = size.constant();
    for (const auto& [number, factor] : size.parts()) value += out.values[number] * factor;
    out.at_least_zero.push_back(std::move(value));
  }
  // A size that was held back says something else than it should.
  const auto is_beyond = [](const Size& size) { return size.is_beyond(); };
  if (std::any_of(out.values.begin(), out.values.end(), is_beyond) ||
      std::any_of(out.at_least_zero.begin(), out.at_least_zero.end(), is_beyond) ||
      std::any_of(zero_.begin(), zero_.end(), is_beyond) ||
      std::any_of(positive_.begin(), positive_.end(), is_beyond))
    return std::nullopt;
  return out;
}

}  // namespace pet::rules
