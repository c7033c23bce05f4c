// Where the source of a rule is found among the nodes of an e-graph: first by its structure
// (operators by name, operands by who reads what), then, at the shapes of the place, operator for
// operator by meaning.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "core/egraph/program.h"
#include "core/rewrite/pattern.h"

namespace pet::egraph {

// Classes that stand for the inputs of a rule, and those of the values that its source yields.
struct Match {
  std::vector<ClassId> inputs, outputs;
  auto operator<=>(const Match&) const = default;
};

// Nodes by what they are, of one moment. REQUIRES: the e-graph is rebuilt
class Index {
 public:
  explicit Index(const EGraph& graph);
  // In order of creation, those that are banned left out.
  const std::vector<ENodeId>& of(const OpDef& def) const;

 private:
  std::map<const OpDef*, std::vector<ENodeId>> by_operator_;
};

struct Found {
  std::vector<Match> matches;  // each once, in order
  bool is_cut = false;         // there may be more
};

// By structure alone. A source of several results is a join: each is looked for by itself, and what
// agrees about the values that they share goes together.
Found matches_of(const EGraph& graph, const Index& index, const rules::Pattern& pattern,
                 std::size_t most);

// The nodes that are the source at a match, and what has to be equal for that; nothing where it is
// not what stands there. REQUIRES: inputs of the types of those of the source
struct Standing {
  std::vector<ENodeId> nodes;
  std::vector<std::pair<ENodeId, ENodeId>> relies_on;
};
std::optional<Standing> standing(const EGraph& graph, const Match& match, const Graph& source);

}  // namespace pet::egraph
