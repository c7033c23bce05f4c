#include "core/util/interval.h"

#include <algorithm>

namespace pet {
namespace {

// The largest m / 2^shift whose square is no larger than x, and whether it is the root itself.
struct Root {
  Rational low;
  Rational step;  // the root lies below low + step
  bool exact = false;
};

Root root_below(const Rational& x, unsigned bits) {
  mpz_class numerator = sqrt(x.get_num());
  mpz_class denominator = sqrt(x.get_den());
  if (numerator * numerator == x.get_num() && denominator * denominator == x.get_den())
    return {Rational(numerator, denominator), 0, true};
  // Enough places that the whole root has `bits` of them, however small x is.
  const auto denominator_length = mpz_sizeinbase(x.get_den_mpz_t(), 2);
  const auto numerator_length = mpz_sizeinbase(x.get_num_mpz_t(), 2);
  const std::size_t small =
      denominator_length > numerator_length ? (denominator_length - numerator_length) / 2 + 1 : 0;
  const std::size_t shift = bits + small;
  const mpz_class scaled = (x.get_num() << (2 * shift)) / x.get_den();
  Rational unit(1, mpz_class(1) << shift);
  return {Rational(sqrt(scaled)) * unit, std::move(unit), false};
}

}  // namespace

Interval operator+(const Interval& a, const Interval& b) {
  return {a.low + b.low, a.high + b.high};
}

Interval operator*(const Interval& a, const Interval& b) {
  if (a.is_point() && b.is_point()) return Interval::point(a.low * b.low);
  const Rational products[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  const auto [low, high] = std::minmax_element(std::begin(products), std::end(products));
  return {*low, *high};
}

std::optional<Interval> reciprocal(const Interval& x) {
  if (sgn(x.low) <= 0 && sgn(x.high) >= 0) return std::nullopt;
  return Interval{1 / x.high, 1 / x.low};
}

std::optional<Interval> square_root(const Interval& x, unsigned bits) {
  if (sgn(x.low) < 0) return std::nullopt;
  const Root low = root_below(x.low, bits);
  const Root high = x.is_point() ? low : root_below(x.high, bits);
  return Interval{low.low, high.exact ? high.low : high.low + high.step};
}

}  // namespace pet
