// What the nodes of an e-graph cost, and the problem that an extractor is given.
#pragma once

#include "core/cost/operator_costs.h"
#include "core/egraph/extract/problem.h"
#include "core/egraph/program.h"

namespace pet::egraph {

// The cost of each node, as whoever knows operators says it. What constants alone decide costs
// nothing: it is computed ahead of time.
class Costs {
 public:
  // REQUIRES: `costs` outlives this. `among_own_layout`: as core/cost/operator_costs.h has it
  explicit Costs(OperatorCosts& costs, bool among_own_layout = false)
      : costs_(costs), among_own_layout_(among_own_layout) {}
  double of(const EGraph& graph, ENodeId node) const;

 private:
  OperatorCosts& costs_;
  const bool among_own_layout_;
};

// The classes that the outputs may need, with their nodes; those that are banned are left out, and
// of a class that is computed ahead of time all that is not.
struct Extraction {
  Problem problem;
  std::vector<ClassId> classes;  // by number in the problem
  std::vector<ENodeId> nodes;
};
Extraction extraction_of(const Program& program, const Costs& costs);

// The program that a choice is: inputs and outputs as the original has them, values that are what
// they were by their names. REQUIRES: cost_of_choice has accepted the choice
Result<Graph> chosen_program(const Program& program, const Extraction& extraction,
                             const Choice& choice);

}  // namespace pet::egraph
