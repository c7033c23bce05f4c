// For every operator some instances that are well formed: what the conformance tests start from.
#pragma once

#include <vector>

#include "core/ir/op.h"

namespace pet::test {

struct Sample {
  Op op;
  std::vector<Shape> operands;
};

// At least one for every operator, small enough to evaluate element by element.
std::vector<Sample> samples(const OpDef& def);

}  // namespace pet::test
