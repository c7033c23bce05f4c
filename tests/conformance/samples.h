// For every operator some instances that are well formed: what the conformance tests start from.
#pragma once

#include <vector>

#include "core/ir/op.h"

namespace pet::test {

struct Sample {
  Op op;
  std::vector<Shape> operands;
  std::vector<DType> elements = {};  // of each operand; floats where the list ends
};

// At least one for every operator, small enough to evaluate element by element; of operators that
// take elements of several types one for each combination of them.
std::vector<Sample> samples(const OpDef& def);

}  // namespace pet::test
