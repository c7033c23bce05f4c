// Values of a program computed by other programs.
#pragma once

#include <span>

#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet {

// The values outputs[j] of a program computed by another one from the values inputs[i].
struct Substitute {
  const Graph* program = nullptr;
  std::span<const NodeId> inputs, outputs;
};

// `source` with values computed otherwise, what nobody needs any more left out. Names stay.
// REQUIRES: no value is computed by two of them. An Error where one needs what it yields.
Result<Graph> with_replaced(const Graph& source, std::span<const Substitute> substitutes);

}  // namespace pet
