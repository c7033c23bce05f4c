// Kinds of numbers in which single elements are computed before they are rounded.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet {

static_assert(std::numeric_limits<long double>::digits == 64);

// Long doubles, and whether every operation so far was exact: sums of a few floats are, and they
// are what often lies exactly between two floats.
struct Checked {
  long double value = 0;
  bool exact = true;
  long double size = 0;  // the same of absolute values; infinite where nothing is known of an error
};

// How many bits there are from the first to the last that is set.
inline int significant_bits(long double x) {
  std::uint64_t mantissa = 0;
  std::memcpy(&mantissa, &x, sizeof mantissa);
  return mantissa == 0 ? 0 : 64 - std::countr_zero(mantissa);
}

class CheckedNumbers {
 public:
  using Value = Checked;

  Value of(const Rational& x) const {
    const double nearest = to_double(x);
    const bool is_exact = std::isfinite(nearest) && exact(nearest) == x;
    return {nearest, is_exact, is_exact ? std::abs(nearest) : HUGE_VALL};
  }
  Value leaf(const Node& node, Dim flat) const {
    const long double x = node.constant()->floats()[static_cast<std::size_t>(flat)];
    return {x, true, std::abs(x)};
  }
  void add(Value& a, const Value& b) const {
    const long double sum = a.value + b.value;
    const long double part = sum - a.value;
    const long double lost = (a.value - (sum - part)) + (b.value - part);  // Knuth: exactly
    a = {sum, a.exact && b.exact && lost == 0, a.size + b.size};
  }
  void multiply(Value& a, const Value& b) const {
    const long double product = a.value * b.value;
    const bool fits = significant_bits(a.value) + significant_bits(b.value) <= 64 &&
                      (std::isnormal(product) || a.value == 0 || b.value == 0);
    a = {product, a.exact && b.exact && fits, a.size * b.size};
  }
  Result<Value> apply(const Application&, std::span<const Value>) const {
    return Value{0, false, HUGE_VALL};
  }
};

class IntervalNumbers {
 public:
  using Value = Interval;

  explicit IntervalNumbers(unsigned bits) : bits_(bits) {}

  Value of(const Rational& x) const { return Interval::point(x); }
  Value leaf(const Node& node, Dim flat) const {
    const float x = node.constant()->floats()[static_cast<std::size_t>(flat)];
    return Interval::point(exact(static_cast<double>(x)));
  }
  void add(Value& a, const Value& b) const { a = a + b; }
  void multiply(Value& a, const Value& b) const { a = a * b; }
  Result<Value> apply(const Application& application, std::span<const Value> arguments) const {
    if (application.function->enclose == nullptr)
      return Error{fmt::format("{} has no enclosure", application.function->name),
                   ErrorKind::Unsupported};
    auto value = application.function->enclose(application.parameters, arguments, bits_);
    if (value) return *std::move(value);
    return Error{fmt::format("{} is undefined there", application.function->name)};
  }

 private:
  unsigned bits_;
};

}  // namespace pet
