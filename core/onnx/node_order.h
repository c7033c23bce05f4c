// Internal: an order in which the nodes of a graph can be read.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace pet::onnx_io {

// The numbers of the nodes, each behind those that make what it or its nested graphs read, as near
// to the file's order as that allows: runtimes sort the nodes, too. What forms a cycle stays where
// it stands. `makers`: by value, the number of the node that makes it.
std::vector<std::size_t> reading_order(const ::onnx::GraphProto& graph,
                                       const std::map<std::string, std::size_t>& makers);

}  // namespace pet::onnx_io
