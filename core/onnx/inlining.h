// Internal: what a node stands for that calls a function of the file, or chooses a nested graph by
// a constant: nodes in its place, under names that nobody else has.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>
#include <vector>

namespace pet::onnx_io {

struct InPlace {
  std::vector<::onnx::TensorProto> constants;
  std::vector<::onnx::NodeProto> nodes;  // the last ones make the node's results
};

// `prefix` begins no other name of the file. Nothing where that cannot be told: attributes of the
// call that its body wants and that nobody gives.
std::optional<InPlace> body_of_call(const ::onnx::NodeProto& node,
                                    const ::onnx::FunctionProto& function,
                                    const std::string& prefix);
// REQUIRES: as many results as the node has
InPlace body_of_branch(const ::onnx::NodeProto& node, const ::onnx::GraphProto& branch,
                       const std::string& prefix);

}  // namespace pet::onnx_io
