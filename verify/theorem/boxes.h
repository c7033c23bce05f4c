// An output cut into boxes in digits, and the positions at which the theorem looks at each.
#pragma once

#include <set>

#include "core/ir/box.h"
#include "verify/theorem/hypotheses.h"

namespace pet::theorem {

struct TestedBox {
  std::vector<Range> ranges;  // by digit
  std::string broken;         // the hypothesis that fails there, in words; empty: they hold
};

struct Boxes {
  DigitBasis basis;
  std::vector<TestedBox> boxes;  // disjoint, together the whole output
  PolynomialSize size;           // the largest of those where the hypotheses hold
};

// All boxes between split points, of which each digit has its own: every cut goes through the whole
// output.
class Grid {
 public:
  explicit Grid(const Shape& shape);

  const DigitBasis& basis() const { return basis_; }
  const Shape& digits() const { return digits_; }
  void split(std::size_t digit, Dim at) { splits_[digit].insert(at); }
  // The digit falls into two; its split points are found again.
  void refine(std::size_t digit, Dim inner);
  // Nothing: there are more than kMost.
  std::optional<std::vector<std::vector<Range>>> boxes() const;
  static constexpr std::size_t kMost = 4096;

 private:
  DigitBasis basis_;
  Shape digits_;                       // all in a row
  std::vector<std::set<Dim>> splits_;  // by digit; of its beginning none
};

// Boxes in which all that the theorem presupposes was looked at: what each program computes is
// written out for the whole box, and cut where that cannot be done. An Error: why the question is
// beyond this engine.
Result<Boxes> checked_boxes(const Program& original, NodeId original_output, const Program& mutant,
                            NodeId mutant_output, Steps& steps);

// A corner, and one step along each digit that has two values or more: m + 1 positions of the
// output. The differences span the box.
std::vector<Shape> tested_positions(const std::vector<Range>& box, const DigitBasis& basis);

}  // namespace pet::theorem
