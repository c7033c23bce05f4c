// Small random instances of every operator: valid attributes and operand shapes, for tests that
// loop over the registry.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/op.h"
#include "core/util/rng.h"

namespace pet::test {

struct OpInstance {
  Op op;
  std::vector<Shape> operands;
  std::vector<DType> elements;  // of each operand
};

// Nothing where nobody has written a sampler for the operator: a test that loops over the registry
// fails then.
std::optional<OpInstance> sample_instance(const OpDef& def, Rng& rng);

}  // namespace pet::test
