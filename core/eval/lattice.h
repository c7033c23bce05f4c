// On which lattice the elements of a sum of products of floats lie: what decides about values that
// no error bound can tell from the middle of two floats.
#pragma once

#include <gmpxx.h>

#include <span>

#include "core/ir/meaning.h"

namespace pet {

// An element is a multiple of 1 / (fineness · odd). Its fineness is a sum like its value:
// 1 over the last bit of a constant float that is set, at least 1 (0 of 0).
double fineness_of(float x);
// The same sum over the operands' fineness, of the twos in its coefficients' denominators.
Meaning with_twos(Meaning meaning);
// What the denominators of a sum's elements have besides twos, at most.
mpz_class odd_denominator(const Meaning& meaning, std::span<const mpz_class> operands);

// Whether the exact value, within `error` of `value`, can be nothing but the number of 25 bits next
// to it: a float, or the middle of two. Two points of a lattice are no closer than its spacing.
bool on_lattice(long double value, long double error, long double fineness, long double odd,
                float& out);

}  // namespace pet
