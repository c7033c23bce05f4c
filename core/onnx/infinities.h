// Internal: which values of a program may be infinite, or no number, because a constant of the file
// is: masks that are added before a Softmax. A proof speaks of real numbers, where 2w − w is w;
// where w is infinite it is none. So nothing is read as arithmetic that computes with such a value:
// it may be moved, and it may be the argument of an element function.
#pragma once

#include <onnx/onnx_pb.h>

#include <vector>

#include "core/ir/builder.h"

namespace pet::onnx_io {

class Infinities {
 public:
  explicit Infinities(const GraphBuilder& graph) : graph_(graph) {}

  bool has(NodeId id) const;
  bool has_any(const std::vector<NodeId>& ids) const;
  Fate fate(const Meaning& meaning, const std::vector<NodeId>& operands) const;

  void add(NodeId id);
  // A node with a meaning, of those operands.
  void note_computed(NodeId id, const std::vector<NodeId>& operands);
  // One that has none, and stands in the file like that.
  void note_opaque(NodeId id, const ::onnx::NodeProto& node, const std::vector<NodeId>& operands);

 private:
  bool stays_finite(NodeId id, const ::onnx::NodeProto& node,
                    const std::vector<NodeId>& operands) const;
  bool follows_from_constants(NodeId id) const;
  void note_constant(NodeId id);

  const GraphBuilder& graph_;
  std::vector<char> of_constants_;  // by node: follows from constants, and is none itself
  std::vector<char> noted_;         // by node; constants stand for themselves
};

}  // namespace pet::onnx_io
