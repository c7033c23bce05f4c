#include "core/util/rational.h"

#include <cmath>

#include "core/util/check.h"

namespace pet {

namespace {

// Whether doubles hold both of its parts: then IEEE division does what is asked for.
bool is_quotient_of_doubles(const Rational& x) {
  constexpr std::size_t kBits = 53;
  return mpz_sizeinbase(x.get_num_mpz_t(), 2) <= kBits &&
         mpz_sizeinbase(x.get_den_mpz_t(), 2) <= kBits;
}

}  // namespace

Rational ratio(std::int64_t numerator, std::int64_t denominator) {
  PET_CHECK(denominator != 0, "a rational needs a denominator");
  Rational q(mpz_class(static_cast<long>(numerator)), mpz_class(static_cast<long>(denominator)));
  q.canonicalize();
  return q;
}

Rational exact(double x) {
  PET_CHECK(std::isfinite(x), "only a finite number has an exact value");
  return Rational(x);  // GMP converts a double without rounding
}

double to_double(const Rational& x) {
  if (is_quotient_of_doubles(x)) return x.get_num().get_d() / x.get_den().get_d();
  // mpq_get_d truncates. Its result and its outward neighbour enclose x; the nearer one is the
  // answer.
  const double towards_zero = x.get_d();
  if (!std::isfinite(towards_zero)) return towards_zero;
  const double away = std::nextafter(towards_zero, sgn(x) < 0 ? -HUGE_VAL : HUGE_VAL);
  if (!std::isfinite(away)) return towards_zero;
  const Rational below = abs(x - Rational(towards_zero));
  const Rational above = abs(Rational(away) - x);
  if (below != above) return below < above ? towards_zero : away;
  int exponent = 0;
  const double mantissa = std::frexp(towards_zero, &exponent);
  const bool even = std::fmod(std::ldexp(mantissa, 53), 2.0) == 0.0;
  return even ? towards_zero : away;
}

long double to_long_double(const Rational& x) {
  if (is_quotient_of_doubles(x))
    return static_cast<long double>(x.get_num().get_d()) / x.get_den().get_d();
  const double head = to_double(x);
  if (!std::isfinite(head)) return head;
  return static_cast<long double>(head) + static_cast<long double>(to_double(x - Rational(head)));
}

std::size_t numerator_bits(const Rational& x) {
  return sgn(x) == 0 ? 0 : mpz_sizeinbase(x.get_num_mpz_t(), 2);
}
std::size_t denominator_bits(const Rational& x) { return mpz_sizeinbase(x.get_den_mpz_t(), 2) - 1; }
std::string to_string(const Rational& x) { return x.get_str(); }

}  // namespace pet
