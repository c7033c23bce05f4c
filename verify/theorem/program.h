// A program as the theorem sees it: leaves, exact numbers, and operators that are sums of products
// of what they read. Whatever else an output needs makes it no multi-linear tensor program.
#pragma once

#include <set>

#include "core/util/result.h"
#include "verify/theorem/leaves.h"

namespace pet::theorem {

// By value: not 0 where both programs compute it, and the original's outputs need it. REQUIRES:
// `table` has every node of the mutant
std::vector<char> computed_by_both(const Graph& original, const Graph& mutant,
                                   const ValueTable& table);

class Program {
 public:
  enum class Side { Original, Mutant };
  enum class Kind { Unneeded, Variable, Number, Sum };

  // REQUIRES: graph and leaves outlive this; `by_both` is that of the pair. An Error: which
  // operator is not multi-linear.
  static Result<Program> read(const Graph& graph, Side side, const ValueTable& table,
                              const std::vector<char>& by_both, LeafTable& leaves);

  const Graph& graph() const { return *graph_; }
  LeafTable& leaves() const { return *leaves_; }
  Kind kind(NodeId id) const { return nodes_[id.index()].kind; }
  // REQUIRES: kind(id) is Variable, or Number: what functions of that number are known by
  Leaf leaf(NodeId id) const { return nodes_[id.index()].leaf; }

  // Whether it applies partial functions, and operators without a meaning, to nothing that the
  // original does not apply them to.
  bool is_defined_where(const Program& original) const;

 private:
  struct Role {
    Kind kind = Kind::Unneeded;
    Leaf leaf = 0;
    bool is_alike = false;    // the other program computes it, too
    bool is_partial = false;  // not defined for all inputs
  };
  bool is_multilinear(NodeId id) const;
  // Adds every result of its partial functions; false: not all of them could be told.
  bool add_partial_results(NodeId id, std::set<std::vector<Dim>>& results) const;

  const Graph* graph_ = nullptr;
  LeafTable* leaves_ = nullptr;
  std::vector<Role> nodes_;
};

}  // namespace pet::theorem
