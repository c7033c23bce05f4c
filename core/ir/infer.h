// What an operator yields on operands of given types: the one inference of types. It needs no
// Graph, so whoever has none (a pattern, a class of equal values) asks as GraphBuilder does.
#pragma once

#include <span>

#include "core/ir/op.h"
#include "core/ir/type.h"

namespace pet {

struct Inferred {
  TensorType type;  // of the result
  Meaning meaning;  // that says so: whoever needs it lowers nothing again
};

// A definition holds for float32. Operators that only move data hold for every element type.
// REQUIRES: the operator is not opaque; `numbers` as in meaning_of
Result<Inferred> infer(const Op& op, std::span<const TensorType> operands,
                       const KnownNumbers& numbers);

}  // namespace pet
