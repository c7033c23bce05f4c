// How likely a proof by residues is wrong: the degree and the coefficient length of the polynomials
// between non-linear operators, and what follows for one prime and for all pairs (theory: section
// 5).
#pragma once

#include <optional>
#include <vector>

#include "verify/values/value_table.h"

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

  // How often everything is compared, each time from nothing, and modulo how many primes each time:
  // what one comparison cannot promise, several that know nothing of one another can. Every one of
  // them alone promises `wanted` or 2^kAlone: the first one is what a certificate writes down.
  // Nothing where it would take too many.
  struct Plan {
    std::size_t comparisons = 1;
    std::size_t primes = 1;
    double log2_error = 0;  // of all together
  };
  static constexpr double kAlone = -64;
  static constexpr std::size_t kMostComparisons = 4;
  static constexpr std::size_t kMostPrimes = 24;
  std::optional<Plan> plan(double wanted) const;

 private:
  double largest_length_ = 0;
  double largest_denominator_ = 0;
};

}  // namespace pet
