// What the nodes of an e-graph cost, and the problem that an extractor is given.
#pragma once

#include <functional>

#include "core/cost/analytic.h"
#include "core/egraph/extract/problem.h"
#include "core/egraph/program.h"

namespace pet::egraph {

// Of an operator on operands of such types, which may be known numbers, in ms.
using NodeCost =
    std::function<double(const Op& op, const std::vector<TensorType>& operands,
                         const TensorType& result, const KnownNumbers& numbers)>;

// By the analytic estimate.
NodeCost estimated_on(const MachineModel& machine);

// The cost of each node, remembered by what it is and reads. What constants alone decide costs
// nothing: it is computed ahead of time.
class Costs {
 public:
  explicit Costs(NodeCost cost) : cost_(std::move(cost)) {}
  double of(const EGraph& graph, ENodeId node);

 private:
  NodeCost cost_;
  std::map<Digest, double> known_;
};

// The classes that the outputs may need, with their nodes; those that are banned are left out, and
// of a class that is computed ahead of time all that is not.
struct Extraction {
  Problem problem;
  std::vector<ClassId> classes;  // by number in the problem
  std::vector<ENodeId> nodes;
};
Extraction extraction_of(const Program& program, Costs& costs);

// The program that a choice is: inputs and outputs as the original has them, values that are what
// they were by their names. REQUIRES: cost_of_choice has accepted the choice
Result<Graph> chosen_program(const Program& program, const Extraction& extraction,
                             const Choice& choice);

}  // namespace pet::egraph
