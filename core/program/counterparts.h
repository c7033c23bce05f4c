// Which nodes of one program stand for which of another one: a view of two programs for people, and
// no proof of anything.
#pragma once

#include <vector>

#include "core/ir/provenance.h"
#include "core/program/joint_order.h"

namespace pet {

// A place at which both differ: connected nodes of the one, and what computes the same values in
// the other. One of both may be empty: these nodes are only here, or only there.
struct Change {
  std::vector<NodeId> here, there;  // in order
  bool operator==(const Change&) const = default;
};

// What follows from constants alone belongs to the operators that read it, or takes part as all
// else does.
enum class Constants { Apart, TakePart };

struct Counterparts {
  // The same operator with the same attributes on operands that correspond: they stand for each
  // other, or a change yields both. In order of the first; joint_order() keeps all of them.
  std::vector<NodePair> unchanged;
  std::vector<Change> changes;  // in the order of both programs
};

// Read from the programs: the same expression from the inputs, the same constants, the same output,
// then whatever is beside what is known already, and names where the operator agrees.
Counterparts counterparts(const Graph& here, const Graph& there);

// Where it is known what became of what.
Counterparts counterparts(const Graph& here, const Graph& there, const Provenance& became,
                          Constants constants);

}  // namespace pet
