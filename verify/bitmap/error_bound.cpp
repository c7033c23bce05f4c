#include "verify/bitmap/error_bound.h"

#include <algorithm>
#include <cmath>

#include "core/eval/kernels/prime.h"

namespace pet {
namespace {

// log2(2^a + 2^b)
double log2_sum(double a, double b) {
  const double high = std::max(a, b);
  return high + std::log2(1 + std::exp2(std::min(a, b) - high));
}

double log2_of(const mpz_class& x) {
  long exponent = 0;
  const double mantissa = mpz_get_d_2exp(&exponent, x.get_mpz_t());
  return x == 0 ? 0 : std::log2(std::abs(mantissa)) + static_cast<double>(exponent);
}

PolynomialSize size_of_constant(const Tensor& tensor) {
  PolynomialSize size;
  int lowest = 0;  // exponent of the last bit that any element uses
  int highest = 0;
  for (const float x : tensor.floats()) {
    if (x == 0) continue;
    int exponent = 0;
    float mantissa = std::frexp(std::abs(x), &exponent);
    highest = std::max(highest, exponent);
    int bits = 0;
    while (mantissa != 0) {
      mantissa = mantissa * 2 - std::floor(mantissa * 2);
      ++bits;
    }
    lowest = std::min(lowest, exponent - bits);
  }
  size.denominator = mpz_class(1) << static_cast<unsigned>(-lowest);
  size.length_bits = highest - lowest;
  return size;
}

// Over a common denominator of all the positions at which the coefficient is taken.
PolynomialSize size_of_coef(const Coef& coef) {
  PolynomialSize size;
  size.denominator = coef.scale.get_den();
  size.length_bits = log2_of(abs(coef.scale.get_num()));
  for (const AxisTable& table : coef.tables) {
    mpz_class common = 1;
    for (const Rational& x : table.values) common = lcm(common, x.get_den());
    double largest = 0;
    for (const Rational& x : table.values)
      largest = std::max(largest, log2_of(abs(x.get_num() * (common / x.get_den()))));
    size.denominator *= common;
    size.length_bits += largest;
  }
  return size;
}

PolynomialSize size_of_term(const Term& term, const std::vector<const PolynomialSize*>& factors) {
  PolynomialSize size = size_of_coef(term.coef);
  for (const Access& access : term.factors) {
    static const PolynomialSize variable{1, 0, 1};
    const auto i = static_cast<std::size_t>(access.operand);
    const PolynomialSize& factor =
        i < factors.size() ? *factors[i] : variable;  // an element function's result
    size.degree += factor.degree;
    size.length_bits += factor.length_bits;
    size.denominator *= factor.denominator;
  }
  size.length_bits += std::log2(std::max<double>(1, static_cast<double>(count(term.reduce))));
  return size;
}

}  // namespace

PolynomialSize size_of(const Node& node, ConstantRole role, const Meaning* meaning,
                       const std::vector<const PolynomialSize*>& operands) {
  if (node.constant() != nullptr && role == ConstantRole::Exact)
    return size_of_constant(*node.constant());
  if (meaning == nullptr) return {1, 0, 1};  // an input, a symbol, an opaque result
  PolynomialSize sum;
  bool first = true;
  for (const Term& term : meaning->sum.terms) {
    PolynomialSize size = size_of_term(term, operands);
    if (first) {
      sum = std::move(size);
      first = false;
      continue;
    }
    const mpz_class common = lcm(sum.denominator, size.denominator);
    sum.length_bits = log2_sum(sum.length_bits + log2_of(common / sum.denominator),
                               size.length_bits + log2_of(common / size.denominator));
    sum.degree = std::max(sum.degree, size.degree);
    sum.denominator = common;
  }
  return sum;
}

void ErrorBound::include(const PolynomialSize& size, Dim count) {
  degree = std::max(degree, size.degree);
  largest_length_ = std::max(largest_length_, size.length_bits);
  largest_denominator_ = std::max(largest_denominator_, log2_of(size.denominator));
  length_bits = largest_length_ + largest_denominator_ + 1;
  elements += static_cast<double>(count);
}

double ErrorBound::length_blocks() const { return std::ceil(length_bits / 29); }

double ErrorBound::log2_miss() const {
  // A point where the polynomial vanishes (Schwartz-Zippel), or a prime that divides all its
  // coefficients: a number of that many bits has at most length/29 prime factors above 2^29.
  const double unlucky_point = std::log2(degree) - 29;
  const double unlucky_prime = std::log2(length_blocks()) - kLog2PrimeCount;
  return std::min(0.0, log2_sum(unlucky_point, unlucky_prime));
}

std::optional<ErrorBound::Plan> ErrorBound::plan(double wanted) const {
  for (std::size_t comparisons = 1; comparisons <= kMostComparisons; ++comparisons) {
    for (std::size_t primes = 1; primes <= kMostPrimes; ++primes) {
      const double alone = log2_error(primes);
      const double all = static_cast<double>(comparisons) * alone;
      if (all <= wanted && alone <= std::max(wanted, kAlone)) return Plan{comparisons, primes, all};
    }
  }
  return std::nullopt;
}

double ErrorBound::log2_error(std::size_t primes) const {
  const double pairs = 2 * std::log2(elements) - 1;
  return log2_sum(pairs + static_cast<double>(primes) * log2_miss(),
                  pairs - 127);  // 127: two digests of 128 bits
}

}  // namespace pet
