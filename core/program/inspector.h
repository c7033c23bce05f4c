// What a person who looks at a pair of programs asks: where they differ, box by box, and why. A
// port: answers come from the engines (verify/inspect), pictures are made of them (viz). What is
// said here is for looking; whether two programs are equal a checker says (EquivalenceChecker).
#pragma once

#include <stop_token>
#include <string>
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

class Inspector {
 public:
  virtual ~Inspector() = default;

  // By output of the original. An Error where the programs cannot be compared at all, or stopped.
  virtual Result<std::vector<InspectedOutput>> boxes(const Graph& original, const Graph& mutant,
                                                     const std::stop_token& stop) = 0;
};

}  // namespace pet
