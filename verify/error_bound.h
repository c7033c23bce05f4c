// How likely a proof by residues is wrong: the degree and the coefficient length of the polynomials
// between non-linear operators, and what follows for one prime and for all pairs (theory: section
// 5).
#pragma once

#include <vector>

#include "verify/value_table.h"

namespace pet {

// Of the polynomials that a value's elements are, in inputs, symbols and results of element
// functions.
struct PolynomialSize {
  double degree = 0;  // with multiplicity
  double length_bits =
      0;  // log2 of the sum of absolute values of the numerators over the common denominator
  mpz_class denominator = 1;
};

// REQUIRES: the sizes of the operands, in order
PolynomialSize size_of(const Node& node, ConstantRole role, const Meaning* meaning,
                       const std::vector<const PolynomialSize*>& operands);

struct ErrorBound {
  double degree = 1;       // largest of all values
  double length_bits = 1;  // of a difference of any two
  double elements = 1;     // compared or hashed, over both programs

  void include(const PolynomialSize& size, Dim count);
  // How many different primes of 30 bits may divide a coefficient of that length.
  double length_blocks() const;
  // log2 of the chance that one random prime and point hide one given difference.
  double log2_miss() const;
  // log2 of the chance that anything anywhere was hidden, with this many primes.
  double log2_error(std::size_t primes) const;

 private:
  double largest_length_ = 0;
  double largest_denominator_ = 0;
};

}  // namespace pet
