// Who rounded an element of a program's tensors: a number of its own for what was computed or
// given, the same again where that was only moved; of a constant its value.
#pragma once

#include <map>
#include <set>
#include <stop_token>
#include <vector>

#include "core/eval/evaluate.h"
#include "core/eval/meaning_code.h"

namespace pet {

class Roundings {
 public:
  // REQUIRES: `program` outlives this
  Roundings(const GraphCode& program, std::size_t threads, const std::stop_token& stop);

  // Of each function that a node applies, by element: equal where it is applied to the same
  // roundings. REQUIRES: the node has a meaning
  Result<std::vector<std::vector<Hash128>>> digests(NodeId id);

 private:
  bool is_moved(NodeId id) const;
  // Its operands, and through data movement theirs; in order.
  std::set<NodeId> moved_on_the_way_to(NodeId id) const;
  std::vector<const ResidueTensor*> operands_of(NodeId id) const;
  Result<ResidueTensor> of(NodeId id) const;

  const GraphCode& code_;
  const Graph& graph_;
  ResidueEvaluator evaluator_;
  std::map<NodeId, ResidueTensor> tensors_;  // on the way to one node
};

}  // namespace pet
