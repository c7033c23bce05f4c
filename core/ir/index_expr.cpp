#include "core/ir/index_expr.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/util/check.h"

namespace pet {

bool IndexExpr::Part::operator==(const Part& o) const {
  if (coefficient != o.coefficient || axis != o.axis || divisor != o.divisor ||
      modulus != o.modulus)
    return false;
  return axis >= 0 || *inner == *o.inner;
}

Dim IndexExpr::Part::value(std::span<const Dim> axes) const {
  Dim base = axis >= 0 ? axes[static_cast<std::size_t>(axis)] : inner->value(axes);
  if (divisor != 1) base = floor_div(base, divisor);
  if (modulus != 0) base = floor_mod(base, modulus);
  return coefficient * base;
}

IndexExpr IndexExpr::of_axis(int axis) {
  PET_CHECK(axis >= 0, "axes are numbered from 0");
  IndexExpr e;
  e.parts_.push_back({.axis = axis, .inner = nullptr});
  return e;
}

std::vector<int> IndexExpr::axes() const {
  std::vector<int> all;
  for (const Part& part : parts_) {
    if (part.axis >= 0) {
      all.push_back(part.axis);
    } else {
      const auto more = part.inner->axes();
      all.insert(all.end(), more.begin(), more.end());
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool IndexExpr::depends_on(int axis) const {
  return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
    return part.axis >= 0 ? part.axis == axis : part.inner->depends_on(axis);
  });
}

bool IndexExpr::is_separable() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) {
    return part.axis >= 0 || part.inner->axes().size() <= 1;
  });
}

Dim IndexExpr::value_along(int axis, Dim at) const {
  Dim sum = 0;
  std::vector<Dim> axes;
  for (const Part& part : parts_) {
    if (part.is_plain_axis()) {  // whole tables are made of these
      sum += part.axis == axis ? part.coefficient * at : 0;
      continue;
    }
    const bool mine = part.axis >= 0 ? part.axis == axis : part.inner->depends_on(axis);
    if (!mine) continue;
    axes.resize(static_cast<std::size_t>(axis) + 1, 0);
    axes.back() = at;
    sum += part.value(axes);
  }
  return sum;
}

IndexExpr IndexExpr::substitute(std::span<const IndexExpr> replacements) const {
  IndexExpr out(constant_);
  for (const Part& part : parts_) {
    IndexExpr base = part.axis >= 0 ? replacements[static_cast<std::size_t>(part.axis)]
                                    : part.inner->substitute(replacements);
    if (part.divisor != 1) base = div(base, part.divisor);
    if (part.modulus != 0) base = mod(base, part.modulus);
    out += base * part.coefficient;
  }
  return out;
}

std::pair<Dim, Dim> IndexExpr::bounds(std::span<const Dim> extents) const {
  Dim low = constant_;
  Dim high = constant_;
  for (const Part& part : parts_) {
    auto [a, b] = part.axis >= 0
                      ? std::pair<Dim, Dim>{0, extents[static_cast<std::size_t>(part.axis)] - 1}
                      : part.inner->bounds(extents);
    a = floor_div(a, part.divisor);
    b = floor_div(b, part.divisor);
    if (part.modulus != 0 && (floor_div(a, part.modulus) != floor_div(b, part.modulus))) {
      a = 0;
      b = part.modulus - 1;
    } else if (part.modulus != 0) {
      a = floor_mod(a, part.modulus);
      b = floor_mod(b, part.modulus);
    }
    low += part.coefficient * (part.coefficient >= 0 ? a : b);
    high += part.coefficient * (part.coefficient >= 0 ? b : a);
  }
  return {low, high};
}

void IndexExpr::add_part(Part part) {
  for (Part& mine : parts_) {
    Part same = mine;
    same.coefficient = part.coefficient;
    if (same == part) {
      mine.coefficient += part.coefficient;
      if (mine.coefficient == 0) {
        mine = parts_.back();
        parts_.pop_back();
      }
      return;
    }
  }
  if (part.coefficient != 0) parts_.push_back(std::move(part));
}

IndexExpr& IndexExpr::operator+=(const IndexExpr& other) {
  const auto theirs = other.parts_;  // a copy: `other` may be *this
  constant_ += other.constant_;
  for (const Part& part : theirs) add_part(part);
  return *this;
}

IndexExpr operator*(const IndexExpr& e, Dim factor) {
  IndexExpr out(e.constant_ * factor);
  for (auto part : e.parts_) {
    part.coefficient *= factor;
    out.add_part(std::move(part));
  }
  return out;
}

IndexExpr div(const IndexExpr& e, Dim divisor) {
  PET_CHECK(divisor > 0, "an index is divided by a positive number");
  if (divisor == 1) return e;
  // Whole multiples of the divisor leave the quotient.
  IndexExpr out(floor_div(e.constant_, divisor));
  IndexExpr rest(floor_mod(e.constant_, divisor));
  for (const auto& part : e.parts_) {
    IndexExpr& side = part.coefficient % divisor == 0 ? out : rest;
    auto copy = part;
    if (&side == &out) copy.coefficient /= divisor;
    side.add_part(std::move(copy));
  }
  if (rest.parts_.empty()) return out;  // its constant is smaller than the divisor
  IndexExpr::Part quotient;
  const auto& only = rest.parts_.front();
  if (rest.parts_.size() == 1 && rest.constant_ == 0 && only.coefficient == 1 &&
      only.modulus == 0) {
    quotient = only;
    quotient.divisor *= divisor;
  } else if (rest.parts_.size() == 1 && rest.constant_ == 0 && only.coefficient == 1 &&
             only.modulus % divisor == 0) {
    quotient = only;  // ((b div d) mod m) div k = (b div dk) mod (m/k)
    quotient.divisor *= divisor;
    quotient.modulus /= divisor;
  } else {
    quotient.inner = std::make_shared<const IndexExpr>(rest);
    quotient.divisor = divisor;
  }
  out.add_part(std::move(quotient));
  return out;
}

IndexExpr mod(const IndexExpr& e, Dim modulus) {
  PET_CHECK(modulus > 0, "a remainder is taken by a positive number");
  if (modulus == 1) return 0;
  IndexExpr rest(floor_mod(e.constant_, modulus));
  for (const auto& part : e.parts_) {
    if (part.coefficient % modulus != 0) rest.add_part(part);
  }
  if (rest.parts_.empty()) return rest;
  IndexExpr::Part remainder;
  const auto& only = rest.parts_.front();
  const bool bare = rest.parts_.size() == 1 && rest.constant_ == 0 && only.coefficient == 1;
  if (bare && (only.modulus == 0 || only.modulus % modulus == 0)) {
    remainder = only;
    remainder.modulus = modulus;
  } else {
    remainder.inner = std::make_shared<const IndexExpr>(rest);
    remainder.modulus = modulus;
  }
  IndexExpr out;
  out.add_part(std::move(remainder));
  return out;
}

std::string to_string(const IndexExpr& e) {
  std::string out;
  for (const auto& part : e.parts()) {
    std::string base = part.axis >= 0 ? fmt::format("v{}", part.axis)
                                      : fmt::format("({})", to_string(*part.inner));
    if (part.divisor != 1) base = fmt::format("({} div {})", base, part.divisor);
    if (part.modulus != 0) base = fmt::format("({} mod {})", base, part.modulus);
    const std::string scaled =
        part.coefficient == 1 ? base : fmt::format("{}*{}", part.coefficient, base);
    out += out.empty() ? scaled : " + " + scaled;
  }
  if (e.constant() != 0 || out.empty())
    out += (out.empty() ? "" : " + ") + std::to_string(e.constant());
  return out;
}

}  // namespace pet
