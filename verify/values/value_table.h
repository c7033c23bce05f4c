// Two programs as one table of values: what both compute the same way is one value. Values of the
// second program that turn out to have equal residues join a value of the first (they are equal up
// to the error bound), and then everything computed from them is shared again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/ir/graph.h"

namespace pet {

using ValueId = Id<struct ValueTag>;

// How a constant enters a proof (theory: what is a symbol). Symbols are free variables identified
// by type, shape, bits.
enum class ConstantRole { Symbol, Exact };

// An operator without a meaning of ours.
inline bool is_opaque(const Node& node) {
  return node.op() != nullptr && node.op()->def->lower == nullptr;
}

struct Value {
  const Graph* graph = nullptr;  // one place that computes it
  NodeId node;
  ConstantRole role = ConstantRole::Symbol;  // of a constant
  std::vector<ValueId> operands;             // as the place that computes it has them
  Digest what;                               // the operator or leaf, operands apart
  bool in_original = false;
};

class ValueTable {
 public:
  // Which constants are symbols. Bound: none. OfPrograms: as in a proof, but that a single -0 is
  // the number 0: nothing in a weight program tells them apart.
  enum class Weights { Symbols, Bound, OfPrograms };

  ValueTable(const Graph& original, const Graph& mutant, Weights weights);

  // `is_known`: the original has a constant of that type, shape and bits.
  static ConstantRole role_of(const Tensor& tensor, Weights weights, bool is_known);

  const std::vector<Value>& values() const { return values_; }
  const Value& value(ValueId id) const { return values_[id.index()]; }
  const Node& node(ValueId id) const { return value(id).graph->node(value(id).node); }
  ValueId of_original(NodeId id) const { return original_[id.index()]; }
  ValueId of_mutant(NodeId id) const { return mutant_[id.index()]; }
  ValueId computed_by_mutant(NodeId id) const {
    return computed_[id.index()];
  }  // before it joined another

  // The values of the mutant in order of computation; a call to join() may turn later ones into
  // shared ones. next_of_mutant() numbers the next node and says its value; nothing when all are
  // done.
  std::optional<ValueId> next_of_mutant();
  bool is_new(ValueId id) const { return !value(id).in_original; }

  // Whether the mutant computes a tensor of floats in its own way that the original has, too.
  bool rejoins(NodeId mine) const;

  // From here on `mine` is the value `theirs`.
  void join(ValueId mine, ValueId theirs);

 private:
  struct Described {
    Digest what;
    ConstantRole role = ConstantRole::Symbol;
  };

  static Described described(const Graph& graph, NodeId id, Weights weights, bool is_known);
  // The value of that node, a new one where none is as it is.
  ValueId intern(const Graph& graph, NodeId node, const Described& is,
                 std::vector<ValueId> operands, bool in_original);
  std::uint32_t& slot_of(const Digest& what, const std::vector<ValueId>& operands);
  void make_room();

  const Graph* mutant_graph_;
  std::shared_ptr<const std::vector<Described>> nodes_of_mutant_;
  std::vector<Value> values_;
  std::vector<ValueId> original_;
  std::vector<ValueId> mutant_;
  std::vector<ValueId> computed_;
  // Open addressing: the table is copied for each comparison, and so are not its nodes one by one.
  std::vector<std::uint32_t> slots_;
};

}  // namespace pet
