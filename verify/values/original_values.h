// The values of the original, found by their residues.
#pragma once

#include <map>
#include <vector>

#include "core/ir/graph.h"
#include "verify/values/residue_store.h"
#include "verify/values/value_table.h"

namespace pet {

class OriginalValues {
 public:
  // REQUIRES: all outlive this
  OriginalValues(const Graph& original, const ValueTable& table, ResidueStore& store);

  // Its nodes that have the value, up to the error bound, in order: those of the same type and
  // residues.
  Result<std::vector<NodeId>> equal_to(ValueId id);

 private:
  Result<std::vector<NodeId>> compared_with(ValueId id);
  Status digest_all();

  const Graph& original_;
  const ValueTable& table_;
  ResidueStore& store_;
  // Residues that are there whenever they are asked for are compared themselves: two tensors differ
  // in their first element, and to digest them all would take a fifth of the proof.
  bool stay_;
  bool is_digested_ = false;
  std::map<Digest, std::vector<NodeId>> by_digest_;
};

}  // namespace pet
