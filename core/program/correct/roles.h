// What each node of a corrected program is there for (PET, Figure 6).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/ir/builder.h"

namespace pet {

enum class CorrectionRole {
  Mutant,      // as the mutant has it
  Shared,      // an operator of the mutant that computes wrong boxes along with its own work
  Recomputed,  // the original's operators once more, for a box
  Gathered,    // lays what wrong boxes read into the shared operator's data
  Pasted       // takes results apart and writes them over the mutant's
};
std::string_view to_string(CorrectionRole role);

struct NodeRole {
  CorrectionRole role = CorrectionRole::Mutant;
  std::optional<std::size_t> box;  // that it is for alone: a number of Correction::boxes
};

// Nodes get the role of the part of the work in which they were made first.
class CorrectionRoles {
 public:
  // Those that were made since the last call.
  void mark(const GraphBuilder& builder, NodeRole role) { roles_.resize(builder.size(), role); }
  const std::vector<NodeRole>& by_node() const { return roles_; }

 private:
  std::vector<NodeRole> roles_;
};

}  // namespace pet
