// Values of a program that another program is to compute: what rewriting a graph leaves to be
// written into its file.
#pragma once

#include <string>
#include <vector>

#include "core/ir/graph.h"

namespace pet {

// The program's input i stands for the value inputs[i] of the graph, its output j takes the place
// of the value outputs[j].
struct Replacement {
  Graph program;
  std::vector<NodeId> inputs;
  std::vector<NodeId> outputs;
  std::string label;  // goes into the names of the new nodes
};

}  // namespace pet
