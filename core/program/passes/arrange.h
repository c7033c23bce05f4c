// Transposes out of the way (PET, section 6.3: post-optimisation across subprograms): values are
// kept in whatever order of axes they were computed in, operators that do not mind run in that
// order, and only who needs another one gets a transpose.
#pragma once

#include "core/analysis/axis_order.h"
#include "core/ir/provenance.h"
#include "core/util/result.h"

namespace pet {

// Fixed: inputs and outputs stand as they are. Free: whatever order the first reader of an input
// wants and an output was computed in; that is how a piece of a larger program is arranged.
enum class Borders { Fixed, Free };

struct Arranged {
  Graph graph;
  // Its input (output) i is the old one transposed by this. Empty: its shape is not known.
  std::vector<AxisOrder> inputs, outputs;
  Provenance became;  // a node of the old program: what stands for its value, in whatever order
};

// Values keep their names where they stand in their old order. Reshapes of reshapes become one, and
// what no output needs goes.
Result<Arranged> arrange(const Graph& graph, Borders borders);

}  // namespace pet
