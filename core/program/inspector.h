// What a person who looks at a pair of programs asks: where they differ, box by box, and why. A
// port: answers come from the engines (verify/inspect), pictures are made of them (viz). What is
// said here is for looking; whether two programs are equal a checker says (EquivalenceChecker).
#pragma once

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/box.h"
#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet {

// Of all elements of a box.
enum class Sameness {
  Equal,      // the same sum of products in both programs: no probability
  Different,  // sums whose difference is no zero polynomial at any of them
  Unknown     // neither was shown
};

struct InspectedBox {
  Box box;  // in digits
  Sameness sameness = Sameness::Unknown;
};

enum class ProgramSide { Original, Mutant };

// Why a value falls into boxes, or an axis into digits.
struct InspectedCause {
  enum class Kind {
    Border,      // elements of `value` that `by` reads may lie outside of it
    Guard,       // a term of `by` counts in a part only
    Digit,       // `by` divides an index of what it reads
    Table,       // a coefficient of `by` changes
    Number,      // `by` reads different numbers of the constant `value`
    Argument,    // `by` applies a function to different things
    Comparison,  // terms of the two programs are of the same elements in a part only
    Close        // nothing was found out of the whole, so that parts were looked at
  };
  Kind kind = Kind::Comparison;
  // Operators of that program; of the last two kinds they mean nothing.
  ProgramSide side = ProgramSide::Original;
  NodeId by, value;
  bool operator==(const InspectedCause&) const = default;
};

// From `at` on along the digit something else holds than before it, in one of its boxes at least.
struct InspectedCut {
  // A cut of an operand that a step over this one goes over, too.
  struct Source {
    NodeId value;
    std::size_t digit = 0;
    Dim at = 0;
    auto operator<=>(const Source&) const = default;
  };
  std::size_t digit = 0;
  Dim at = 0;
  std::vector<InspectedCause> causes;  // what was asked, and what else was found
  std::vector<Source> sources;         // those that were looked for and found
};

struct InspectedDigits {
  std::size_t axis = 0;
  Dim inner = 0;  // extent of the inner digit that was split off
  InspectedCause cause;
};

// A value of a program: the boxes on each of which it is one sum of products of inputs.
struct InspectedValue {
  DigitBasis basis;
  std::vector<InspectedCut> cuts;  // sorted
  std::vector<InspectedDigits> digits;
  std::size_t boxes = 0;
  std::string reason;  // why nothing is known of it
};

// By node.
struct InspectedSplits {
  std::vector<InspectedValue> original, mutant;
};

struct InspectedOutput {
  std::string name;
  DigitBasis basis;
  std::vector<InspectedBox> boxes;      // disjoint, together the whole output
  Region wrong;                         // all that is not equal, in few boxes
  std::string reason;                   // why nothing is known of it; there are no boxes then
  std::vector<InspectedCut> cuts = {};  // why the boxes are what they are; without sources
};

// coefficient · the product of elements, summed over ranges: one part of what an element of an
// output is.
struct InspectedTerm {
  // constant + Σ coefficient · digit + Σ coefficient · sum, by axis of the element that is read.
  struct Index {
    Dim constant = 0;
    std::vector<std::pair<std::size_t, Dim>> of_sums;         // which sum, and its coefficient
    std::vector<std::pair<std::size_t, Dim>> of_digits = {};  // of the position, in a whole box
    auto operator<=>(const Index&) const = default;
  };
  struct Factor {
    std::string value;  // whose element it is; empty: what an element function yields
    std::vector<Index> index;
    auto operator<=>(const Factor&) const = default;
  };
  bool is_of_original = true;  // the mutant has it not; else the other way round
  std::string coefficient;     // above 0
  std::vector<Factor> factors;
  std::vector<std::pair<Dim, Dim>> sums;  // half-open
  auto operator<=>(const InspectedTerm&) const = default;
};

// Of one element of an output.
struct InspectedTerms {
  std::vector<InspectedTerm> differing;  // what is in one program alone
  double original = 0, mutant = 0;       // products in each, all sums written out
};

// What a value is, box by box.
struct InspectedSums {
  struct Part {
    Box box;                           // in digits
    std::vector<InspectedTerm> terms;  // of both programs where two are looked at
    std::string reason;                // why they are not known
  };
  DigitBasis basis;
  std::vector<Part> parts;  // disjoint, together the whole value
  std::string reason;       // why nothing is known of it
};

// What is so at every element of an output, row-major: 1 where it is equal.
struct InspectedTruth {
  std::string by;  // who looked at each of them
  std::vector<char> equal_at;
};

class Inspector {
 public:
  virtual ~Inspector() = default;

  // By output of the original. An Error where the programs cannot be compared at all, or stopped.
  virtual Result<std::vector<InspectedOutput>> boxes(const Graph& original, const Graph& mutant,
                                                     const std::stop_token& stop) = 0;
  // At a position of output number `output` of the original. REQUIRES: it lies inside
  virtual Result<InspectedTerms> terms(const Graph& original, const Graph& mutant,
                                       std::size_t output, const Shape& position,
                                       const std::stop_token& stop) = 0;
  // The boxes of every value of both. REQUIRES: equal inputs and outputs
  virtual Result<InspectedSplits> splits(const Graph& original, const Graph& mutant,
                                         const std::stop_token& stop) = 0;
  // Of a value of one of them. REQUIRES: as above
  virtual Result<InspectedSums> sums(const Graph& original, const Graph& mutant, ProgramSide side,
                                     NodeId value, const std::stop_token& stop) = 0;
  // Of an output in both, in the boxes of the pair. REQUIRES: as above
  virtual Result<InspectedSums> sums(const Graph& original, const Graph& mutant, std::size_t output,
                                     const std::stop_token& stop) = 0;
};

}  // namespace pet
