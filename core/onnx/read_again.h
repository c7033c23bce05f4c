// A file at other sizes of what it leaves open, from the contents that were read once: whatever has
// become of the file meanwhile.
#pragma once

#include "core/onnx/model.h"

namespace pet {

Result<Model> read_again(const Model& model, const ReadOptions& options);

// At the same sizes, for a proof: with bodies in the place of the functions of the file that nodes
// call, and of an If by a constant the branch that it takes.
Result<Model> read_in_place(const Model& model);

}  // namespace pet
