// Internal: which values of a program may be infinite, or no number, because a constant of the file
// is: masks that are added before a Softmax. A proof speaks of real numbers, where 2w − w is w;
// where w is infinite it is none. So nothing is read as arithmetic that computes with such a value:
// it may be moved, and it may be the argument of an element function.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <vector>

#include "core/ir/builder.h"

namespace pet::onnx_io {

class Infinities {
 public:
  explicit Infinities(const GraphBuilder& graph) : graph_(graph) {}

  Finiteness of(NodeId id) const;
  bool are_among(const std::vector<NodeId>& ids) const;  // what may not be finite
  Made made(const Meaning& meaning, const std::vector<NodeId>& operands) const;

  // Of a node with a meaning, that makes such numbers of those operands.
  void note(NodeId id, const std::vector<NodeId>& operands, Finiteness numbers);
  // Of one that has none, and stands in the file like that. `made`: what it makes of them by a
  // definition that computes with what may be infinite; nothing: nobody knows.
  void note_opaque(NodeId id, const ::onnx::NodeProto& node, const std::vector<NodeId>& operands,
                   std::optional<Finiteness> made);

 private:
  Finiteness made_of_constants(NodeId id, const ::onnx::NodeProto& node,
                               const std::vector<NodeId>& operands) const;
  bool follows_from_constants(NodeId id) const;
  void note_constant(NodeId id);
  void add(NodeId id, Finiteness numbers);

  const GraphBuilder& graph_;
  std::vector<char> of_constants_;  // by node: follows from constants, and is none itself
  std::vector<Finiteness> noted_;   // by node; constants stand for themselves
};

}  // namespace pet::onnx_io
