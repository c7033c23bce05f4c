// Whether what two programs compute in a box is what the theorems speak of, and how large the
// polynomials are that random inputs have to tell apart.
//
// In a box each output is a sum of products whose terms, coefficients and places of summation are
// the same at every position; a factor reads its leaf at A·v + b(r). Of the products of the same
// leaves let K be the number of different A, over both programs; where a leaf stands in a product
// several times every order of its factors counts. Two programs that agree at m + 1 positions (a
// corner, and one step along each of m digits) agree on the whole box if K <= 2 (theory: section
// 3). Of three the positions 0 and 1 say nothing: x[2v]·x[2v+1] and x[3v]·x[v+1] agree there.
#pragma once

#include <map>

#include "verify/theorem/circuit.h"

namespace pet::theorem {

// Of the polynomials that are compared, in elements of leaves.
struct PolynomialSize {
  double degree = 0;       // with multiplicity
  double length_bits = 0;  // log2 of what no coefficient exceeds, over a common denominator
};

class Hypotheses {
 public:
  Hypotheses(const LeafTable& leaves, const LeafReads& reads) : leaves_(leaves), reads_(reads) {}

  // Of the only result of a circuit over the box: the original's first, then the mutant's. An
  // Error: too many kinds of products.
  Status add(const Circuit& circuit);
  // Of all that was added. Nothing: they hold. Else what does not, in words.
  std::optional<std::string> broken() const;
  PolynomialSize size() const;

 private:
  using Product = std::vector<std::uint32_t>;   // moving leaves, sorted
  using Products = std::vector<std::uint32_t>;  // sorted, each once
  struct Moving {
    Leaf leaf = 0;
    std::vector<Dim> speed;  // of each coordinate the steps of all digits
    auto operator<=>(const Moving&) const = default;
  };

  std::uint32_t moving(Leaf leaf, std::uint32_t read);
  std::uint32_t product_of(std::uint32_t a, std::uint32_t b);
  Result<std::uint32_t> products_of(std::uint32_t a, std::uint32_t b);
  Result<std::uint32_t> united(std::uint32_t a, std::uint32_t b);
  std::uint32_t number(Products products);
  std::optional<std::string> too_many_speeds() const;

  const LeafTable& leaves_;
  const LeafReads& reads_;
  std::map<Moving, std::uint32_t> known_moving_;
  std::vector<Moving> moving_;
  std::map<Product, std::uint32_t> known_product_;
  std::vector<Product> products_;
  std::map<Products, std::uint32_t> known_set_;
  std::vector<Products> sets_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> unions_, multiplied_;
  std::vector<std::uint32_t> results_;
  std::vector<std::set<std::pair<Leaf, std::uint32_t>>> partial_;  // by circuit: what it reads
  long double norm_ = 0;         // of all results: the coefficients' absolute values added up
  double denominator_bits_ = 0;  // of all results
  double degree_ = 0;
};

}  // namespace pet::theorem
