// Pieces of a program, as programs of their own.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
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
  // Equal for programs that differ in the numbers of their weights alone: a float constant of more
  // than one element counts by its type and by which others have the same bits.
  Digest key;
};

// The given operators of `source` as a program: constants come along, every other value from
// outside is an input, every value that is used outside (or is an output of the source) is an
// output. REQUIRES: all have a meaning
Subprogram extract(const Graph& source, std::span<const NodeId> nodes);

// "Conv, AveragePool": those of a program, in order.
std::vector<std::string> operator_names(const Graph& program);

// What takes the place of a constant; nullopt: it stays.
using Instead =
    std::function<Result<std::optional<NodeId>>(class GraphBuilder&, const Tensor& constant)>;

// A copy with other values in the place of constants, and without what no output needs.
Result<Graph> with_constants_replaced(const Graph& program, const Instead& instead);
// The same program without that; inputs stay.
Graph without_unused(const Graph& program);
// The same without operators that no output needs; inputs and constants stay.
Graph without_unused_operators(const Graph& program);

// A mutant of the program of `from`, as one of the program of `to`: the weights of the one become
// those of the other. Constants that `from` does not have stay as they are. REQUIRES: equal keys;
// nothing in the mutant is computed from weights ahead of time
Result<Graph> transfer(const Graph& mutant, const Subprogram& from, const Subprogram& to);

// A node once more, with its operands already in `builder`. REQUIRES: no input
Result<NodeId> copy_node(class GraphBuilder& builder, const Node& node,
                         std::vector<NodeId> operands);

// A copy of `program` inside `builder`, with its inputs replaced; the results of its outputs.
// Output j is called names[j]; other operators have no names then, since they may stand for other
// values than those of the same name in what is built.
Result<std::vector<NodeId>> append(class GraphBuilder& builder, const Graph& program,
                                   std::span<const NodeId> inputs,
                                   std::span<const std::string> names);

}  // namespace pet
