// A tensor program: an immutable list of nodes in topological order, each with one result.
// Transformations make new graphs (GraphBuilder); constants are shared.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/op.h"
#include "core/ir/tensor.h"
#include "core/util/id.h"

namespace pet {

using NodeId = Id<struct NodeTag>;

struct InputLeaf {
  std::string name;
  bool operator==(const InputLeaf&) const = default;
};
using ConstantLeaf = std::shared_ptr<const Tensor>;

struct Node {
  std::variant<Op, InputLeaf, ConstantLeaf> what;
  std::vector<NodeId> operands;
  TensorType type;
  std::string
      name;  // of its result, for people and for the written file; no part of what is computed

  const Op* op() const { return std::get_if<Op>(&what); }
  const InputLeaf* input() const { return std::get_if<InputLeaf>(&what); }
  const Tensor* constant() const {
    const auto* leaf = std::get_if<ConstantLeaf>(&what);
    return leaf ? leaf->get() : nullptr;
  }
};

class Graph {
 public:
  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& node(NodeId id) const { return nodes_[id.index()]; }
  const std::vector<NodeId>& inputs() const { return inputs_; }  // in order of declaration
  const std::vector<NodeId>& outputs() const { return outputs_; }
  std::vector<NodeId> ids() const;

  std::vector<Shape> operand_shapes(NodeId id) const;  // REQUIRES: all are known
  const Meaning& meaning(NodeId id) const;             // REQUIRES: has_meaning(id)
  bool has_meaning(NodeId id) const;                   // an operator with a definition
  std::vector<std::vector<NodeId>> consumers() const;  // by node
  // By node: not 0 where a value follows from more than constants. What an operator without a
  // meaning yields does, whatever it reads.
  std::vector<char> depends_on_inputs() const;
  // By node: not 0 where an output needs its value. Programs may hold operators that none needs.
  std::vector<char> needed_by_outputs() const;

  // The same program, node for node, in which these are inputs of those names.
  Graph opened_at(const std::map<NodeId, std::string>& names) const;

  // Equal digests: the same program, node for node (names apart).
  Digest digest() const;
  // Of the operator and its attributes, of an input's name, or of a constant: operands apart.
  const Digest& what_is(NodeId id) const { return what_[id.index()]; }

 private:
  friend class GraphBuilder;
  std::vector<Node> nodes_;
  std::vector<Digest> what_;                              // by node
  std::vector<std::shared_ptr<const Meaning>> meanings_;  // by node; null where there is none
  std::vector<NodeId> inputs_;
  std::vector<NodeId> outputs_;
};

std::string to_string(const Graph& graph);  // one line a node

}  // namespace pet
