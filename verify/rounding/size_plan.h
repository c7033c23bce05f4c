// Where the sizes of two programs' sums must be compared, and with what: decided by values, not by
// places.
#pragma once

#include <map>

#include "verify/rounding/counterparts.h"
#include "verify/values/original_values.h"
#include "verify/values/residue_store.h"
#include "verify/values/value_table.h"

namespace pet {

// Two programs, proved against each other as far as residues go.
struct ProvedPair {
  const Graph& original;
  const Graph& mutant;
  const ValueTable& table;  // REQUIRES: every node of the mutant has its value
  ResidueStore& store;
  const ResidueEvaluator& evaluator;
  OriginalValues& originals;
  // Every value that the mutant applies functions to, or yields, is joined with that of the
  // original in the table, and none of it is rounded twice: nobody looks for residues.
  bool is_settled = false;
};

struct SizePlan {
  // Of the mutant, by node.
  std::vector<char> as_original;  // sums what the original sums, from the last functions on
  std::vector<char> compared;
  std::map<NodeId, std::vector<NodeId>> outputs;   // with the original's output at the same place
  std::map<NodeId, std::vector<NodeId>> partners;  // with tensors of the original of equal value
  // Of arguments without a partner, and of results of functions: their elements' counterparts.
  std::map<NodeId, std::vector<Counterparts::Slot>> alone;
  std::map<NodeId, std::vector<std::vector<Counterparts::Slot>>> results;
  Counterparts arguments_by_value;
  Counterparts results_by_value;

  // Of the original, by node.
  std::vector<char> measured;
  std::map<NodeId, std::vector<Counterparts::Match>> argument_matches;
  std::map<NodeId, std::vector<std::vector<Counterparts::Match>>> result_matches;
  std::map<NodeId, char> kept;          // what the mutant sums further
  std::map<NodeId, char> kept_results;  // results of functions that the mutant sums otherwise
};

// The node of the original whose value a node of the mutant has. REQUIRES: there is one
NodeId in_original(const ProvedPair& pair, NodeId mine);

// Compared is what the mutant computes in its own way and the original has too.
Result<SizePlan> plan_rejoined(const ProvedPair& pair, const std::stop_token& stop);

// Both at once, of a pair that is settled: what is compared there.
Result<SizePlan> plan_settled(const ProvedPair& pair, const std::stop_token& stop);

// Compared are: outputs that are not the original's own; every argument of a function (or of an
// operator without a meaning of ours) that is not summed as in the original, or to which the
// original applies other functions. `tame`: nodes of the mutant, by node, whose sums are known to
// be as small as the original's; they count as summed there.
Result<SizePlan> plan_sizes(const ProvedPair& pair, const std::vector<char>& tame,
                            const std::stop_token& stop);

}  // namespace pet
