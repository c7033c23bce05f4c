// Pieces of a program, as programs of their own.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/ir/copy.h"

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

// Takes subprograms out of one program.
class Extractor {
 public:
  explicit Extractor(const Graph& source);  // REQUIRES: it outlives this

  // The given operators as a program: constants come along, every other value from outside is an
  // input, every value that is used outside (or is an output of the source) is an output.
  // REQUIRES: all have a meaning
  Subprogram extract(std::span<const NodeId> nodes) const;

 private:
  bool is_used_outside(NodeId id, const std::vector<NodeId>& nodes) const;

  const Graph& source_;
  std::vector<std::vector<NodeId>> users_;  // by node
  std::vector<char> is_output_;             // by node
};

// The same of one subprogram alone.
Subprogram extract(const Graph& source, std::span<const NodeId> nodes);

// "Conv, AveragePool": those of a program, in order.
std::vector<std::string> operator_names(const Graph& program);

// The same program without what no output needs; inputs stay.
Graph without_unused(const Graph& program);
// The same without operators that no output needs; inputs and constants stay.
Graph without_unused_operators(const Graph& program);

// A mutant of the program of `from`, as one of the program of `to`: the weights of the one become
// those of the other. Constants that `from` does not have stay as they are. REQUIRES: equal keys;
// nothing in the mutant is computed from weights ahead of time
Result<Graph> transfer(const Graph& mutant, const Subprogram& from, const Subprogram& to);

// A copy of `program` inside `builder`, with its inputs replaced; the results of its outputs.
// Output j is called names[j]; other operators have no names then, since they may stand for other
// values than those of the same name in what is built.
Result<std::vector<NodeId>> append(GraphBuilder& builder, const Graph& program,
                                   std::span<const NodeId> inputs,
                                   std::span<const std::string> names);

}  // namespace pet
