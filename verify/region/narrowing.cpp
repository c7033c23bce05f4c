#include "verify/region/narrowing.h"

#include <algorithm>
#include <numeric>

#include "core/util/check.h"

namespace pet::region {
namespace {

Dim span_of(const Affine::Part& part, const Ranges& ranges) {
  return std::abs(part.coefficient) * (ranges[part.var].extent() - 1);
}

// The part that moves the value most, so that cutting it decides most.
const Affine::Part& widest(const Affine& e, const Ranges& ranges) {
  return *std::max_element(e.parts().begin(), e.parts().end(), [&](const auto& a, const auto& b) {
    return span_of(a, ranges) < span_of(b, ranges);
  });
}

// The smallest sum that is moved together with output digits: its values are few and what they do
// differs.
std::optional<Narrow> taken_apart(const Affine& e, const Ranges& ranges) {
  std::optional<Var> best;
  for (const auto& [var, coefficient] : e.parts()) {
    if (ranges.is_digit(var) || ranges[var].extent() > kMostApart) continue;
    if (!best || ranges[var].extent() < ranges[*best].extent()) best = var;
  }
  if (!best) return std::nullopt;
  return Narrow{*best, Narrow::How::Apart, 0};
}

// Where along `var` the first of the conditions changes that are functions of the least and of the
// largest value that the others leave possible; nothing where neither changes.
template <class F>
std::optional<Dim> first_change(const Affine& e, Var var, const Ranges& ranges, F&& state) {
  const Range range = ranges[var];
  const Dim c = e.coefficient(var);
  const Affine others = e.substitute(var, 0);
  const auto [low, high] = others.bounds(ranges.of);
  // Monotonous in var, so a change lies where the state of the ends differs.
  const auto change = [&](Dim rest) -> std::optional<Dim> {
    Dim a = range.low;
    Dim b = range.high - 1;
    const auto first = state(c * a + rest);
    if (state(c * b + rest) == first) return std::nullopt;
    while (b - a > 1) {
      const Dim middle = a + (b - a) / 2;
      (state(c * middle + rest) == first ? a : b) = middle;
    }
    return b;
  };
  auto one = change(low);
  const auto other = change(high);
  if (!one || (other && *other < *one)) one = other;
  return one;
}

template <class F>
Narrow cut_where(const Affine& e, const Ranges& ranges, F&& state) {
  Affine::Parts parts = e.parts();
  std::stable_sort(parts.begin(), parts.end(), [&](const auto& a, const auto& b) {
    return span_of(a, ranges) > span_of(b, ranges);
  });
  for (const auto& [var, coefficient] : parts) {
    if (ranges[var].extent() < 2) continue;
    if (const auto at = first_change(e, var, ranges, state)) return {var, Narrow::How::Cut, *at};
  }
  const Var var = widest(e, ranges).var;
  const Range range = ranges[var];
  PET_CHECK(range.extent() > 1, "what is not decided varies");
  return {var, Narrow::How::Cut, range.low + range.extent() / 2};
}

// A variable that is more than one digit as far as division by m is concerned.
std::optional<Narrow> digit_to_split(const Affine& rest, Dim m, const Ranges& ranges) {
  std::optional<Narrow> best;
  Dim best_span = 0;
  for (const auto& part : rest.parts()) {
    const Dim factor = m / std::gcd(m, std::abs(part.coefficient));
    const Range& range = ranges[part.var];
    // Within one multiple of the factor there is nothing to be gained.
    if (floor_div(range.low, factor) == floor_div(range.high - 1, factor)) continue;
    if (range.extent() <= factor && range.low % factor != 0) {
      const Dim at = (floor_div(range.low, factor) + 1) * factor;
      if (span_of(part, ranges) > best_span) best = Narrow{part.var, Narrow::How::Cut, at};
    } else if (span_of(part, ranges) > best_span) {
      best = Narrow{part.var, Narrow::How::Digits, factor};
    } else {
      continue;
    }
    best_span = std::max(best_span, span_of(part, ranges));
  }
  return best;
}

// e without what is a multiple of m; coefficients as close to 0 as they can be.
Affine modulo(const Affine& e, Dim m) {
  Affine rest(floor_mod(e.constant(), m));
  for (const auto& [var, coefficient] : e.parts()) {
    Dim c = floor_mod(coefficient, m);
    if (c > m / 2) c -= m;
    rest += Affine::of(var, c);
  }
  return rest;
}

Affine divided(const Affine& multiple, Dim m) {
  Affine out(multiple.constant() / m);
  for (const auto& [var, coefficient] : multiple.parts()) out += Affine::of(var, coefficient / m);
  return out;
}

}  // namespace

Answer<Division> divide(const Affine& e, Dim m, const Ranges& ranges) {
  PET_CHECK(m > 0, "an index is divided by a positive number");
  const Affine rest = modulo(e, m);
  const auto [low, high] = rest.bounds(ranges.of);
  const Dim whole = floor_div(low, m);
  if (whole == floor_div(high, m)) return Division{divided(e - rest, m) + whole, rest - whole * m};
  if (rest.parts().size() > 1) {
    if (const auto apart = taken_apart(rest, ranges); apart && ranges[apart->var].extent() < m)
      return *apart;
  }
  if (const auto digits = digit_to_split(rest, m, ranges)) return *digits;
  if (rest.parts().size() > 1) {
    if (const auto apart = taken_apart(rest, ranges)) return *apart;
  }
  return cut_where(rest, ranges, [m](Dim value) { return floor_div(value, m); });
}

Answer<bool> lies_between(const Affine& e, Dim low, Dim high, const Ranges& ranges) {
  const auto [least, most] = e.bounds(ranges.of);
  if (least >= low && most < high) return true;
  if (most < low || least >= high) return false;
  if (e.parts().size() > 1) {
    if (const auto apart = taken_apart(e, ranges)) return *apart;
  }
  return cut_where(e, ranges, [=](Dim value) { return value < low ? -1 : value >= high ? 1 : 0; });
}

Answer<bool> holds(const Affine& e, const Guard& guard, const Ranges& ranges) {
  if (guard.multiple_of == 0) return lies_between(e, guard.low, guard.high, ranges);
  const auto division = divide(e, guard.multiple_of, ranges);
  if (const auto* narrow = std::get_if<Narrow>(&division)) return *narrow;
  const Affine& remainder = std::get<Division>(division).remainder;
  if (remainder.is_constant()) return remainder.constant() == 0;
  return lies_between(remainder, 0, 1, ranges);
}

Answer<Affine> value_of(const IndexExpr& e, std::span<const Affine> axes, const Ranges& ranges) {
  Affine out(e.constant());
  for (const IndexExpr::Part& part : e.parts()) {
    Affine base;
    if (part.axis >= 0) {
      base = axes[static_cast<std::size_t>(part.axis)];
    } else {
      auto inner = value_of(*part.inner, axes, ranges);
      if (const auto* narrow = std::get_if<Narrow>(&inner)) return *narrow;
      base = std::get<Affine>(std::move(inner));
    }
    if (part.divisor != 1) {
      auto division = divide(base, part.divisor, ranges);
      if (const auto* narrow = std::get_if<Narrow>(&division)) return *narrow;
      base = std::get<Division>(std::move(division)).quotient;
    }
    if (part.modulus != 0) {
      auto division = divide(base, part.modulus, ranges);
      if (const auto* narrow = std::get_if<Narrow>(&division)) return *narrow;
      base = std::get<Division>(std::move(division)).remainder;
    }
    out += base * part.coefficient;
  }
  return out;
}

Answer<Rational> entry(const std::vector<Rational>& table, const Affine& at, const Ranges& ranges) {
  const auto [low, high] = at.bounds(ranges.of);
  PET_CHECK(low >= 0 && high < static_cast<Dim>(table.size()), "a table covers its axis");
  const auto first = table.begin() + low;
  if (std::all_of(first, table.begin() + high + 1,
                  [&](const Rational& value) { return value == *first; }))
    return *first;
  if (at.parts().size() > 1) {
    if (const auto apart = taken_apart(at, ranges)) return *apart;
  }
  // Runs of equal entries, by number.
  std::vector<Dim> run(table.size(), 0);
  for (std::size_t i = 1; i < table.size(); ++i)
    run[i] = run[i - 1] + (table[i] == table[i - 1] ? 0 : 1);
  return cut_where(at, ranges, [&](Dim value) {
    return run[static_cast<std::size_t>(
        std::clamp<Dim>(value, 0, static_cast<Dim>(run.size()) - 1))];
  });
}

}  // namespace pet::region
