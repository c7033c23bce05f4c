// Whose time it is: a runtime's profile, led back to the nodes of the file that was run.
//
// A runtime fuses and renames. An operator is that of the node of its name; else of the node that
// makes the value it is called after (a fused Conv and Relu of ONNX Runtime is called after what it
// yields, "r1_nchwc"); else it is the runtime's own (ReorderInput). What a run takes beyond its
// operators is one more entry, so that all of them add up to a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/cost/analytic.h"
#include "core/onnx/model.h"

namespace pet {

enum class NamedAfter { Node, Value, Runtime, Rest };

struct AttributedTime {
  NamedAfter named_after = NamedAfter::Rest;
  std::optional<std::size_t> file_node{};  // of Node and Value
  std::string name{};  // of the node (of what it makes, where it has none) or the value; else the
                       // runtime's
  std::string type{};  // the runtime's: "Conv" of a fused Conv and Relu
  // The median over the samples. The rest is what those leave of the median run, below 0 where they
  // are more than that, as those of operators that run at the same time.
  double ms = 0;
  double share = 0;  // of a whole run
  int calls = 1;     // a run
  std::size_t samples = 0;
};

// In the order in which they ran; the rest comes last. Of nodes of the same name the first counts.
std::vector<AttributedTime> attributed(const OperatorProfile& profile, const Model& model);

// What each node of the file would take by the analytic model, in the file's order: estimates, made
// without running anything. Nodes that constants alone decide are left out.
std::vector<AttributedTime> estimated(const Model& model, const MachineModel& machine);

}  // namespace pet
