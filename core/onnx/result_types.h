// Internal: types and shapes of the results of a node that has no meaning here, so that what
// follows it can be read.
#pragma once

#include <vector>

#include "core/onnx/content.h"
#include "core/onnx/node_call.h"

namespace pet::onnx_io {

// By result; Undefined, without a shape, where nothing is known. Shapes follow from the operands'
// and from integer constants by the standard's own inference; of an operator that is defined here
// for other elements only, by its definition. Nothing is said of operators that slide windows
// (their schema has strides): runtimes and the standard differ over how many fit; and of nodes that
// hold graphs.
std::vector<TensorType> result_types(const ::onnx::NodeProto& node, const OpsetTable& opsets,
                                     const Operands& operands, const GraphBuilder& graph);

}  // namespace pet::onnx_io
