// The only way to make a Graph. Infers and checks every type from the operator's definition
// (infer.h); equal operators on equal operands become one node.
#pragma once

#include <map>
#include <string>

#include "core/ir/graph.h"

namespace pet {

class GraphBuilder {
 public:
  // A definition holds for float32. Operators that only move data hold for every element type.
  Result<NodeId> add(Op op, std::vector<NodeId> operands, std::string name = {});
  Result<NodeId> add(const OpDef& def, Attrs attrs, std::vector<NodeId> operands,
                     std::string name = {});
  // With these numbers in the place of what its operands hold, where they decide what it means.
  Result<NodeId> add_knowing(const KnownNumbers& numbers, Op op, std::vector<NodeId> operands,
                             std::string name = {});
  NodeId add_input(std::string name, TensorType type);
  NodeId add_constant(std::shared_ptr<const Tensor> tensor, std::string name = {});
  NodeId add_scalar(float value);

  // An operator without meaning: what it computes is identified by `content` and its operands.
  NodeId add_opaque(std::string what, const Digest& content, std::vector<NodeId> operands,
                    TensorType type, std::string name = {});
  NodeId add_opaque(Op op, std::vector<NodeId> operands, TensorType type,
                    std::string name = {});  // a copy of one

  void add_output(NodeId id) { graph_.outputs_.push_back(id); }
  std::size_t size() const { return graph_.nodes().size(); }  // of nodes so far
  const Node& node(NodeId id) const { return graph_.node(id); }
  const TensorType& type(NodeId id) const { return graph_.node(id).type; }
  std::vector<TensorType> types(const std::vector<NodeId>& ids) const;
  Graph build() &&;

 private:
  NodeId intern(Node node, std::shared_ptr<const Meaning> meaning = nullptr);

  Graph graph_;
  std::map<std::pair<Digest, std::vector<NodeId>>, NodeId> interned_;  // by what they are
};

// The definition behind add_opaque; attributes: what ("domain::Op" and its output), content (a
// digest).
const OpDef& opaque_operator();

}  // namespace pet
