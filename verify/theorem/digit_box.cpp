#include "verify/theorem/digit_box.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace pet::theorem {

std::pair<Dim, Dim> DigitBox::bounds(Row row) const {
  Dim low = row[0];
  Dim high = row[0];
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const Dim step = row[i + 1];
    if (step == 0) continue;
    const Dim first = step * ranges_[i].low;
    const Dim last = step * (ranges_[i].high - 1);
    low += std::min(first, last);
    high += std::max(first, last);
  }
  return {low, high};
}

Decided DigitBox::reaches(Row row, Dim threshold) const {
  const auto [low, high] = bounds(row);
  if (low >= threshold) return true;
  if (high < threshold) return false;
  return split(row, threshold);
}

Decided DigitBox::lies_between(Row row, Dim low, Dim high) const {
  const Decided begins = reaches(row, low);
  if (const bool* begun = std::get_if<bool>(&begins); begun == nullptr || !*begun) return begins;
  const Decided ends = reaches(row, high);
  if (const bool* ended = std::get_if<bool>(&ends)) return !*ended;
  return ends;
}

// Where the digit that moves the row farthest takes it across the threshold, the others being where
// the row is smallest, or else largest. One of the two lies inside unless it takes several digits.
Need DigitBox::split(Row row, Dim threshold) const {
  std::size_t widest = 0;
  Dim farthest = -1;
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const Dim moved = std::abs(row[i + 1]) * (ranges_[i].extent() - 1);
    if (moved > farthest) {
      farthest = moved;
      widest = i;
    }
  }
  const Range& range = ranges_[widest];
  const Dim step = std::abs(row[widest + 1]);
  const auto [low, high] = bounds(row);
  const Dim up_from_low = -floor_div(low - threshold, step);         // steps until it is reached
  const Dim down_from_high = 1 + floor_div(high - threshold, step);  // steps until it is not
  for (const Dim steps : {up_from_low, range.extent() - down_from_high}) {
    const Dim at = row[widest + 1] > 0 ? range.low + steps : range.high - steps;
    if (at > range.low && at < range.high) return {widest, Need::How::Split, at};
  }
  return {widest, Need::How::Split, range.low + range.extent() / 2};
}

std::optional<Need> DigitBox::divide(Row row, Dim divisor, std::vector<Dim>& quotient,
                                     std::vector<Dim>& rest) const {
  for (std::size_t i = 0; i < row.size(); ++i) {
    quotient[i] = i == 0 ? 0 : row[i] / divisor;
    rest[i] = row[i] - divisor * quotient[i];
  }
  const auto [low, high] = bounds(rest);
  const Dim whole = floor_div(low, divisor);
  if (whole == floor_div(high, divisor)) {
    quotient[0] = whole;
    rest[0] -= whole * divisor;
    return std::nullopt;
  }
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    if (rest[i + 1] == 0) continue;
    const Dim period = divisor / std::gcd(rest[i + 1], divisor);
    if (ranges_[i].extent() > period && extents_[i] % period == 0)
      return Need{i, Need::How::Refine, period};
  }
  return split(rest, (whole + 1) * divisor);
}

std::optional<Need> DigitBox::part(const IndexExpr::Part& part, std::span<const Dim> axes,
                                   std::vector<Dim>& out) const {
  std::vector<Dim> base(width(), 0);
  if (part.axis >= 0) {
    const auto from = axes.subspan(static_cast<std::size_t>(part.axis) * width(), width());
    std::copy(from.begin(), from.end(), base.begin());
  } else if (auto need = add(*part.inner, axes, base)) {
    return need;
  }
  std::vector<Dim> rest(width());
  if (part.divisor != 1) {
    if (auto need = divide(base, part.divisor, out, rest)) return need;
    base = out;
  }
  if (part.modulus != 0) {
    if (auto need = divide(base, part.modulus, out, rest)) return need;
    base = rest;
  }
  out = std::move(base);
  return std::nullopt;
}

std::optional<Need> DigitBox::add(const IndexExpr& e, std::span<const Dim> axes,
                                  std::span<Dim> out) const {
  out[0] += e.constant();
  std::vector<Dim> made;
  for (const IndexExpr::Part& one : e.parts()) {
    Row from;
    if (one.is_plain_axis()) {
      from = axes.subspan(static_cast<std::size_t>(one.axis) * width(), width());
    } else {
      made.resize(width());
      if (auto need = part(one, axes, made)) return need;
      from = made;
    }
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += one.coefficient * from[i];
  }
  return std::nullopt;
}

Decided DigitBox::is_multiple(Row row, Dim of) const {
  std::vector<Dim> quotient(width());
  std::vector<Dim> rest(width());
  if (auto need = divide(row, of, quotient, rest)) return *need;
  const auto [low, high] = bounds(rest);
  if (low > 0) return false;
  if (high == 0) return true;
  return split(rest, 1);  // a multiple where nothing is left
}

}  // namespace pet::theorem
