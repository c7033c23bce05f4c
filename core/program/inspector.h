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

struct InspectedOutput {
  std::string name;
  DigitBasis basis;
  std::vector<InspectedBox> boxes;  // disjoint, together the whole output
  Region wrong;                     // all that is not equal, in few boxes
  std::string reason;               // why nothing is known of it; there are no boxes then
};

// coefficient · the product of elements, summed over ranges: one part of what an element of an
// output is.
struct InspectedTerm {
  // constant + Σ coefficient · sum, by axis of the element that is read.
  struct Index {
    Dim constant = 0;
    std::vector<std::pair<std::size_t, Dim>> of_sums;  // which sum, and its coefficient
  };
  struct Factor {
    std::string value;  // whose element it is; empty: what an element function yields
    std::vector<Index> index;
  };
  bool is_of_original = true;  // the mutant has it not; else the other way round
  std::string coefficient;     // above 0
  std::vector<Factor> factors;
  std::vector<std::pair<Dim, Dim>> sums;  // half-open
};

// Of one element of an output.
struct InspectedTerms {
  std::vector<InspectedTerm> differing;  // what is in one program alone
  double original = 0, mutant = 0;       // products in each, all sums written out
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
};

}  // namespace pet
