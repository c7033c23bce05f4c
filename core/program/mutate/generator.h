// Mutants: programs with the inputs and outputs of a subprogram that are not known to compute the
// same. What is proposed follows from the operators' meanings alone; whether and where it is right
// is found out afterwards.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/graph.h"

namespace pet {

struct Mutant {
  Graph program;
  std::string how;  // what was done, for people: "exchange Conv and AveragePool", "join 2 of axis 0
                    // along axis 3"
};

// The mutants of one subprogram, one after another, always in the same order.
class MutantGenerator {
 public:
  explicit MutantGenerator(const Graph& subprogram);  // REQUIRES: one output
  std::optional<Mutant> next();

 private:
  std::deque<Mutant> waiting_;
};

// The families, one a file.
std::vector<Mutant> exchanges(const Graph& subprogram);  // two operators in the other order
std::vector<Mutant> joins_and_cuts(
    const Graph& subprogram);  // pieces of one axis laid along another, plain and with a halo

}  // namespace pet
