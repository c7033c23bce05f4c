// Side conditions: where a rule is right, as a formula over sizes, found from where it was and
// where it was not.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "verify/rules/instance.h"

namespace pet::rules {

// What was seen at one instance.
struct Sample {
  std::vector<Quantity> quantities;  // the same ones of every sample
  bool right = false;
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

// One of as few atoms as can be that holds at all samples that are right and at none that are not.
// Nothing where no few of them do, where too many would have to be tried, or `stop` asks for it.
std::optional<Condition> find_condition(std::span<const Sample> samples,
                                        const std::stop_token& stop = {});

}  // namespace pet::rules
