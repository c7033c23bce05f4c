// Two sums of products over the same leaves, every axis of every value written in digits, so that
// what reshapes do is to give digits other names.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/ir/graph.h"
#include "core/util/result.h"
#include "verify/values/value_table.h"

namespace pet::symmetry {

// A value is read by one index for each of its digits.
struct Read {
  std::size_t value = 0;
  std::vector<IndexExpr> index;
};

// As a Term of a Meaning; its axes are the value's digits, then the digits that are summed over.
struct DigitTerm {
  Coef coef;
  Shape sums;  // extents
  std::vector<Guard> guards;
  std::vector<Read> factors;
};

// What a value is that nothing here computes: a free variable, or numbers.
struct DigitLeaf {
  Digest key;            // equal keys: one leaf
  ConstantLeaf numbers;  // null: free
};

struct DigitValue {
  std::optional<DigitLeaf> leaf;
  Shape digits;  // extents, each 2 or more; row-major they lie as the tensor does
  std::vector<DigitTerm> terms;
};

struct DigitProgram {
  std::vector<DigitValue> values;  // what is read comes first
  std::size_t original = 0;        // the values that are compared: of the same digits
  std::size_t mutant = 0;
};

// A constant of either program: a symbol where the original has it.
ConstantRole role_beside(const Graph& original, const Tensor& tensor);

// Both programs at once. Constants of the original are symbols wherever they stand, as in every
// proof; what functions make of constants is a leaf of its own. An Error where a function is
// applied to anything else, or an axis falls into digits in two ways that do not fit.
// REQUIRES: one output each, of one shape; equal inputs
Result<DigitProgram> in_digits(const Graph& original, const Graph& mutant);

}  // namespace pet::symmetry
