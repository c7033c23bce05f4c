// Mutants: programs with the inputs and outputs of a subprogram that are not known to compute the same. What is proposed
// follows from the operators' meanings alone; whether and where it is right is found out afterwards.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "core/ir/graph.h"

namespace pet {

struct Mutant {
  Graph program;
  std::string how;  // what was done, for people: "exchange AveragePool and Conv", "join 2 along axis 0 into axis 3"
};

// The mutants of one subprogram, one after another, always in the same order.
class MutantGenerator {
 public:
  // REQUIRES: subprogram has one output
  explicit MutantGenerator(const Graph& subprogram);
  std::optional<Mutant> next();

 private:
  std::deque<Mutant> waiting_;
};

}  // namespace pet
