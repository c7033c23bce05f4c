// A file at other sizes of what it leaves open, from the contents that were read once: whatever has
// become of the file meanwhile.
#pragma once

#include "core/onnx/model.h"

namespace pet {

Result<Model> read_again(const Model& model, const ReadOptions& options);

}  // namespace pet
