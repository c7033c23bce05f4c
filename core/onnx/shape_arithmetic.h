// Internal: integer values that follow from known shapes and constants, computed when a file is
// read: Shape, and whatever integer operators make of it (the chains that exporters write for open
// sizes). An operator of ours is evaluated by its definition; the others, which exist for nothing
// else here, are defined in this file's .cpp.
//
// Everything is exact or refused: a value that overflows, or an index out of range, is no constant.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/onnx/node_call.h"

namespace pet::onnx_io {

using Constants = std::vector<std::shared_ptr<const Tensor>>;

// The node's outputs. nullopt: it is no shape arithmetic, or reads what is no constant. An error
// says why it cannot be computed. REQUIRES: a node of the default domain
Result<std::optional<Constants>> shape_arithmetic(const ::onnx::NodeProto& node, int opset,
                                                  const Operands& operands,
                                                  const GraphBuilder& graph,
                                                  const std::shared_ptr<const ParsedFile>& file);

// Whether it reads the extents of its operand and nothing else (Shape, Size).
bool reads_shapes(const ::onnx::NodeProto& node);

// Of what shape_arithmetic() makes: each number is a polynomial of the sizes that the file leaves
// open, of this degree at most, if extents are multiples of one of them and operands are
// polynomials of `degrees` (0: no size is in it; nothing: any function of sizes). Nothing: nobody
// knows.
std::optional<int> degree_of(const ::onnx::NodeProto& node, int opset, const Operands& operands,
                             const GraphBuilder& graph,
                             std::span<const std::optional<int>> degrees);

// The larger degree of two; nothing where one of them is none.
std::optional<int> larger_degree(const std::optional<int>& a, const std::optional<int>& b);

}  // namespace pet::onnx_io
