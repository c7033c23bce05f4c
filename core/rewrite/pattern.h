// Where the structure of a rule's source stands in a program: operators by their names, operands by
// who reads what. Whether what stands there is the source, at the shapes of the place, is for
// rewriter.h to say.
#pragma once

#include <map>
#include <vector>

#include "core/ir/graph.h"
#include "core/rewrite/instance.h"

namespace pet::rules {

// The structure of a source, as it is at some sizes.
struct Pattern {
  Graph source;
  std::vector<char> commutes;        // by node: its operands may stand in either order
  std::vector<NodeId> sinks;         // operators that no other reads
  std::vector<Quantity> quantities;  // what the rule's condition may speak of
};

// The same one each time. An Error where no sizes are found at which the rule makes sense.
Result<Pattern> pattern_of(const Rule& rule);

// What is asked of a program again and again while rules are matched. REQUIRES: it outlives this
struct ProgramIndex {
  explicit ProgramIndex(const Graph& program);

  const Graph& program;
  std::map<const OpDef*, std::vector<NodeId>> by_operator;  // what outputs need
  std::vector<std::vector<NodeId>> readers;                 // by node
};

// What stands for the inputs of the rule, and the values that its source yields.
struct Place {
  std::vector<NodeId> inputs;
  std::vector<NodeId> outputs;
  auto operator<=>(const Place&) const = default;
};

// Every place, each once, in order of the program. No operator stands for two of the source. Beyond
// a limit of work no more are looked for.
std::vector<Place> places_in(const ProgramIndex& index, const Pattern& pattern);

}  // namespace pet::rules
