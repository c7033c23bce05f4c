// A tensor program inside of an e-graph: how it gets in, and what became of it through rules.
#pragma once

#include <map>
#include <vector>

#include "core/egraph/egraph.h"
#include "core/rewrite/rewriter.h"

namespace pet::egraph {

// A rule that was applied: its target is in the e-graph, each of its results in one class with that
// of the source. Classes go by the nodes that they were called after then.
struct Application {
  rules::Use use;                // rule and shapes
  std::vector<ENodeId> inputs;   // what stood for them
  std::vector<ENodeId> outputs;  // of the source
  std::vector<ENodeId> source;   // the nodes that were the source
  std::vector<ENodeId> target;   // of its nodes, in order; those that were there already, too
  // What had to be equal for the ones to be the source, and the others the target.
  std::vector<std::pair<ENodeId, ENodeId>> relies_on;
};

// A program, and all that rules have made of it so far. A value: searches copy it.
struct Program {
  EGraph graph;
  std::vector<std::pair<std::string, TensorType>> inputs;  // of the original, in order
  std::vector<ENodeId> outputs;                            // of the original
  std::vector<Application> applications;
};

Program program_of(const Graph& original);

// The nodes of a program over these classes, in its order, leaves that are inputs left out; what is
// not there yet is made by the application of that number. REQUIRES: a class for each input
struct Added {
  std::vector<ENodeId> nodes;
  std::vector<ENodeId> outputs;
  // What had to be equal for nodes that were there to be these.
  std::vector<std::pair<ENodeId, ENodeId>> relies_on;
};
Added add_to(EGraph& graph, const Graph& program, const std::vector<ENodeId>& inputs,
             std::size_t made_by);

}  // namespace pet::egraph
