// Side conditions: where a rule is right, as a formula over sizes. Data: decided at given sizes,
// written and read as text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ir/shape.h"
#include "core/util/result.h"

namespace pet::rules {

// A number that a side condition may speak of: a size of an input, the groups of a convolution,
// its features in each, zeros that it pads with.
struct Quantity {
  std::string name;
  Dim value = 0;
  bool counts_zeros = false;  // in front of an axis: such numbers may be added up
};

// One fact about quantities, by number.
struct Atom {
  // OddOrEven: a is odd or b is even. Sum: a + b = c, of zeros.
  enum class Kind { IsOne, Equal, SameParity, IsOdd, IsEven, OddOrEven, Sum };
  Kind kind = Kind::IsOne;
  std::size_t a = 0;
  std::size_t b = 0;  // of those that speak of two
  std::size_t c = 0;  // of Sum

  bool holds(const std::vector<Quantity>& at) const;
};

// All of its atoms.
struct Condition {
  std::vector<Atom> atoms;

  bool holds(const std::vector<Quantity>& at) const;
};

std::string to_string(const Condition& condition, const std::vector<Quantity>& named);

// What to_string wrote, over the same quantities. An Error names what it does not know.
Result<Condition> parse_condition(const std::string& text, const std::vector<Quantity>& named);

}  // namespace pet::rules
