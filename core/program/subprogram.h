// Pieces of a program, as programs of their own.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "core/ir/graph.h"

namespace pet {

// `program` computes from its inputs (in order: `inputs` of the source) the values `outputs` of the
// source.
struct Subprogram {
  Graph program;
  std::vector<NodeId> nodes;  // of the source, in order
  std::vector<NodeId> inputs;
  std::vector<NodeId> outputs;
  std::map<NodeId, NodeId> place;  // of values of the source in `program`
};

// The given operators of `source` as a program: constants come along, every other value from
// outside is an input, every value that is used outside (or is an output of the source) is an
// output. REQUIRES: all have a meaning
Subprogram extract(const Graph& source, std::span<const NodeId> nodes);

// A node once more, with its operands already in `builder`. REQUIRES: no input
Result<NodeId> copy_node(class GraphBuilder& builder, const Node& node,
                         std::vector<NodeId> operands);

// A copy of `program` inside `builder`, with its inputs replaced; the results of its outputs.
Result<std::vector<NodeId>> append(class GraphBuilder& builder, const Graph& program,
                                   std::span<const NodeId> inputs);

// `source` with the values outputs[j] computed by `program` from the values inputs[i]. Names stay.
Result<Graph> with_replaced(const Graph& source, const Graph& program,
                            std::span<const NodeId> inputs, std::span<const NodeId> outputs);

}  // namespace pet
