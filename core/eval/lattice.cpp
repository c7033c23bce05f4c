#include "core/eval/lattice.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace pet {
namespace {

// What a factor's denominator has of twos, at least 1; 0 of nothing.
Rational twos(const Rational& x) {
  if (x == 0) return 0;
  mpz_class out = 1;
  for (mpz_class rest = x.get_den(); rest % 2 == 0; rest /= 2) out *= 2;
  return out;
}

mpz_class odd_part(mpz_class x) {
  while (x % 2 == 0) x /= 2;
  return x;
}

}  // namespace

Meaning with_twos(Meaning meaning) {
  for (Term& term : meaning.sum.terms) {
    term.coef.scale = twos(term.coef.scale);
    for (AxisTable& table : term.coef.tables) {
      for (Rational& x : table.values) x = twos(x);
    }
  }
  return meaning;
}

mpz_class odd_denominator(const Meaning& meaning, std::span<const mpz_class> operands) {
  mpz_class out = 1;
  for (const Term& term : meaning.sum.terms) {
    mpz_class own = odd_part(term.coef.scale.get_den());
    for (const AxisTable& table : term.coef.tables) {
      mpz_class all = 1;
      for (const Rational& x : table.values) all = lcm(all, odd_part(x.get_den()));
      own *= all;
    }
    for (const Access& factor : term.factors)
      own *= operands[static_cast<std::size_t>(factor.operand)];
    out = lcm(out, own);
  }
  return out;
}

double fineness_of(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const auto exponent = static_cast<int>(bits >> 23 & 0xFFU);
  const std::uint32_t mantissa = (bits & 0x7FFFFFU) | (exponent == 0 ? 0U : 0x800000U);
  if (mantissa == 0) return 0;
  const int last = std::max(exponent, 1) - 150 + std::countr_zero(mantissa);
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + std::max(0, -last)) << 52);
}

bool on_lattice(long double value, long double error, long double fineness, long double odd,
                float& out) {
  if (!(fineness < 0x1p1000L)) return false;
  // Summing the fineness may have rounded it down a little: one more power of two.
  int twos_exponent = 0;
  std::frexp(fineness, &twos_exponent);
  const long double two_power = std::ldexp(1.0L, twos_exponent + 1);
  const long double spacing = 1 / (two_power * odd) * (1 - 0x1p-40L);
  const auto reaches = [&](long double point) {
    return std::abs(value - point) + 2 * error < spacing;
  };
  if (reaches(0)) {
    out = 0;
    return true;
  }
  int exponent = 0;
  const long double fraction = std::frexp(value, &exponent);
  const long double point = std::ldexp(std::rint(std::ldexp(fraction, 25)), exponent - 25);
  const long double size = std::abs(point);
  if (!(size >= 0x1p-125L && size < 0x1p127L) || !reaches(point)) return false;
  if (std::rint(point * two_power) != point * two_power) return false;
  out = static_cast<float>(point);
  return true;
}

}  // namespace pet
