// Programs to try a device on.
#pragma once

#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "gpu/check/numbers.h"

namespace pet::test {

struct Program {
  std::string name;
  Graph graph;
};

// Every case of a folder, both programs of each.
std::vector<Program> programs_of_cases(const std::string& folder);
// Every sample of every operator (tests/conformance/samples.h), as a program of one operator.
std::vector<Program> programs_of_samples();

using gpu::distance;
using gpu::Distance;
using gpu::Drawn;
using gpu::drawn_inputs;
using gpu::Numbers;

}  // namespace pet::test
