// Internal: a node of a file as an operator definition sees it.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <vector>

#include "core/ir/builder.h"
#include "core/onnx/infinities.h"
#include "core/onnx/parsed_file.h"

namespace pet::onnx_io {

// Operands by place; nullopt: absent.
using Operands = std::vector<std::optional<NodeId>>;

Result<OnnxCall> make_call(const ::onnx::NodeProto& node, int opset, const Operands& operands,
                           const GraphBuilder& graph);

// A result of the node as a node of the program.
Result<NodeId> add_imported(GraphBuilder& graph, const OnnxImported& imported,
                            const Operands& operands, const std::string& name,
                            Infinities& infinities);

// What a node would make of operands that may not be finite, by its definition; nothing where it
// has none for them.
std::optional<Finiteness> numbers_made(const ::onnx::NodeProto& node, int opset,
                                       const Operands& operands, const GraphBuilder& graph,
                                       const Infinities& infinities);

// The value of a Constant node. Unsupported: a form that we only know by its content.
Result<std::shared_ptr<const Tensor>> constant_of(const ::onnx::NodeProto& node,
                                                  const std::shared_ptr<const ParsedFile>& file);

}  // namespace pet::onnx_io
