// Internal: what each value of a file is (a tensor of which elements, a sequence, an optional or a
// map of what), by the standard's own rules, held against what the file declares: in the main
// graph, in nested graphs at any depth, for inputs, outputs and inner values, whoever makes them.
// Nothing of shapes.
#pragma once

#include <onnx/onnx_pb.h>

#include "core/onnx/content.h"

namespace pet::onnx_io {

// What the rules do not tell. An Error where a declaration contradicts them, or another one of the
// same value.
Result<UncheckedTypes> check_types(const ParsedFile& file, const OpsetTable& opsets);

}  // namespace pet::onnx_io
