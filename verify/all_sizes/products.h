// Sums of products over sizes that are symbols, in a form that equal sums share: what stands for
// canonical term lists (theory: section 4) where no extent is a number.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/util/rational.h"
#include "verify/all_sizes/facts.h"

namespace pet::all_sizes {

// Inputs, and element functions of what their key says.
using Leaf = std::size_t;

class Leaves {
 public:
  Leaf of(const std::string& key) { return numbers_.emplace(key, numbers_.size()).first->second; }

 private:
  std::map<std::string, Leaf> numbers_;
};

struct Factor {
  Leaf leaf = 0;
  std::vector<Affine> index;
  auto operator<=>(const Factor&) const = default;
};

// low <= var < high, and there is such a value.
struct Sum {
  Var var = 0;
  Affine low;
  Affine high;
};

// weight · Σ Π factors
struct Product {
  Rational weight;
  std::vector<Sum> sums;
  std::vector<Factor> factors;
};
using Products = std::vector<Product>;

// Why there is no answer yet.
struct Open {
  std::optional<Affine> question;  // whether this is at least zero has to be known first
  std::string reason;              // where there is no such question: why there is no answer at all
};

// Variables are told apart by their numbers. Symbols, positions and what is summed over while a
// program is written out come first; then those of sums in canonical products, those of sums in
// arguments of functions, so many for each function around them, and those of sums that have no
// name yet. None may reach the next.
inline constexpr Var kSummed = 1'000'000;
inline constexpr Var kBound = 2'000'000;
inline constexpr Var kUnnamed = 3'000'000;
inline constexpr Var kBoundsAFunction = 1000;
inline constexpr int kDeepestFunction = 64;
static_assert(kBound + kBoundsAFunction * (kDeepestFunction + 1) < kUnnamed);

// Products with equal factors are one, ranges that follow one another too; none has the weight 0.
// No products at all: the sum is zero wherever the facts hold. nullopt: `open` says why.
std::optional<Products> canonical(const Products& products, const Facts& facts, Open& open);

// Asks; where the answer is open, that is the question.
std::optional<bool> decide(const Affine& at_least_zero, const Facts& facts, Open& open);

}  // namespace pet::all_sizes
