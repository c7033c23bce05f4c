// Internal: the standard's rules for what the results of a node are, shapes left out.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/onnx/content.h"

namespace pet::onnx_io {

using Types = std::vector<std::optional<::onnx::TypeProto>>;  // of operands or results, by place

// Nothing where it is open what something is, at any depth.
std::optional<::onnx::TypeProto> without_shapes(const ::onnx::TypeProto& type);

// Equal for equal types. REQUIRES: without_shapes() made it
std::string in_words(const ::onnx::TypeProto& type);

// What is open in one may be anything in the other.
bool are_equal(const std::optional<::onnx::TypeProto>& a,
               const std::optional<::onnx::TypeProto>& b);

// What a nested graph yields of that.
using ReadNested = std::function<Types(const ::onnx::GraphProto&, const Types& given)>;

// Of a node that calls no function of the file. Fewer than it has results, or nothing of one: no
// rule tells, or the library does not know the operator.
Types results_by_rules(const ::onnx::NodeProto& node, const OpsetTable& opsets,
                       const Types& operands, const ReadNested& read_nested);

}  // namespace pet::onnx_io
