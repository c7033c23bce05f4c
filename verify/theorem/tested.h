// Random testing: two programs at chosen positions, on random inputs in prime fields.
#pragma once

#include "core/util/digest.h"
#include "verify/theorem/field.h"

namespace pet::theorem {

// By position: not 0 where both yield the same in every field. One set of inputs a field, the same
// for all positions. An Error: too many steps, or stopped.
Result<std::vector<char>> agree_at(const Program& original, NodeId original_output,
                                   const Program& mutant, NodeId mutant_output,
                                   const std::vector<Shape>& positions,
                                   const std::vector<Field>& fields, const Digest& secret,
                                   Steps& steps);

}  // namespace pet::theorem
