// Internal: is a node one of its operator set, as ONNX's own definitions say?
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>

#include "core/onnx/node_call.h"

namespace pet::onnx_io {

// Why it is none: operands, attributes or types that the operator of that set does not have.
// Nothing of operators that the library does not know in that set: of sets newer than the library
// it knows none.
std::optional<std::string> schema_objection(const ::onnx::NodeProto& node, int opset,
                                            const Operands& operands, const GraphBuilder& graph);

}  // namespace pet::onnx_io
