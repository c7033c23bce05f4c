// Canonical term lists: sums of products in which equal parts cancel, however their sums were cut
// into pieces or split into residue classes (theory: section 4, exact verdict).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "verify/region/product.h"

namespace pet::region {

// Of equal factors at equal places of a sum the weights add up.
struct WeightedBox {
  std::vector<Range> sums;  // by variable, numbered after the digits
  Rational weight;
};

// What is left of a sum over a box.
enum class Left {
  Nothing,     // it is zero at every position, whatever the leaves are
  Everywhere,  // it is no zero polynomial at any position
  Unclear
};

class TermList {
 public:
  explicit TermList(std::size_t digits) : digits_(digits) {}

  void add(Product product, int sign);
  // Narrow: of a digit, where the answer may be another in one part of the box.
  Answer<Left> settle(const std::vector<Range>& digits, const LeafTable& leaves);

  // Whether every product of `other` is one of these, whatever their weights.
  bool covers(TermList& other);

  // The sum itself in a form that equal sums share where they are not too long to be written out
  // product by product.
  using Kind = std::vector<Factor>;
  using Terms = std::map<Kind, std::vector<WeightedBox>>;
  const Terms& written_out();
  // The same with its sums kept together, for people to read.
  const Terms& cancelled();

 private:
  struct Term {
    const Kind* kind;
    const WeightedBox* box;
  };

  void reduce();
  bool split_residues();
  bool write_out();
  Answer<bool> never_equal(const Term& one, const Term& other,
                           const std::vector<Range>& digits) const;
  // Whether the sum is no zero polynomial at any position; false: nothing is known.
  Answer<bool> vanishes_nowhere(const std::vector<Range>& digits, const LeafTable& leaves) const;
  void put(Kind kind, std::vector<Range> sums, const Rational& weight);

  std::size_t digits_;
  Terms terms_;
};

}  // namespace pet::region
