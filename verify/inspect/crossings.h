// Which cuts and borders of its operands a step within a value goes over: where a cut comes from.
#pragma once

#include "core/program/inspector.h"
#include "verify/region/cutting.h"

namespace pet {

// Found at some positions of the box that was cut, and for some of what is summed over: what is
// found is there, and more may be.
struct Crossings {
  std::vector<InspectedCut::Source> sources;  // sorted
  std::vector<InspectedCause> begins;         // borders, and guards of the operator, each once
};

// Of a cut inside of a value of `node`, by what its operator reads at both sides. `values`: of the
// nodes before it.
Crossings crossings_of(const region::Cut& cut, const Graph& graph, ProgramSide side, NodeId node,
                       const DigitBasis& basis, const std::vector<InspectedValue>& values);

}  // namespace pet
