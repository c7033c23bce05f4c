// Exact rationals. A float's bits reach down to 2^-149, so they are arbitrary precision (GMP).
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <string>

namespace pet {

using Rational = mpq_class;

Rational ratio(std::int64_t numerator, std::int64_t denominator);  // REQUIRES: denominator != 0

// The exact value of a finite float or double. REQUIRES: std::isfinite(x)
Rational exact(double x);

// The nearest double (round to nearest, ties to even).
double to_double(const Rational& x);

long double to_long_double(const Rational& x);  // to within an ulp

// Number of bits of |numerator|, of the denominator: the sizes that the error bound of a proof
// counts.
std::size_t numerator_bits(const Rational& x);
std::size_t denominator_bits(const Rational& x);

std::string to_string(const Rational& x);

}  // namespace pet
