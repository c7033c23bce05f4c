// An e-graph: programs that share what they have in common, and classes of values that are known to
// be equal (Nelson 1980; egg, POPL'21, sections 2 and 3). An e-node is an operator, an input or a
// constant over *classes*; a class holds every node that computes its value.
//
//   merge() says that two classes are one; rebuild() then restores congruence: nodes of one
//   operator over the same classes are in one class. Between the two nodes may be added, and what
//   is equal may not be known to be. Classes of different types never become one. Every merge
//   remembers its reason, so that it can be told later what made two nodes equal (explanation.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "core/ir/graph.h"
#include "core/util/id.h"
#include "core/util/rational.h"

namespace pet::egraph {

using OperatorId = Id<struct EOperatorTag>;  // interned: equal ones have one id
using ENodeId = Id<struct ENodeTag>;         // in order of creation
using ClassId = Id<struct EClassTag>;        // the class that was made for the node of that number

// What an e-node is, operands apart.
struct Operator {
  std::variant<Op, InputLeaf, ConstantLeaf> what;
  Digest digest;

  const Op* op() const { return std::get_if<Op>(&what); }
  const InputLeaf* input() const { return std::get_if<InputLeaf>(&what); }
  const Tensor* constant() const {
    const auto* leaf = std::get_if<ConstantLeaf>(&what);
    return leaf ? leaf->get() : nullptr;
  }
};

inline constexpr std::size_t kOriginal = SIZE_MAX;  // no rule made it

struct ENode {
  OperatorId what;
  std::vector<ClassId> operands;    // as they were called when the node was made
  std::size_t made_by = kOriginal;  // the number of the application that made it
  bool is_banned = false;           // it would close a cycle (cycles.h)
};

struct EClass {
  TensorType type;
  // Some node of it follows from constants alone: it is computed ahead of time.
  bool is_weight = false;
  std::optional<Rational> number;  // of a constant of one element (theory: section 6a)
  std::string name;                // of the value in the original program; may be empty
  std::vector<ENodeId> nodes;      // each once, in order of creation
  std::vector<ENodeId> readers;    // nodes that have it among their operands; some may be twice
};

// Why two nodes are equal: a rule was applied, or (kCongruence) they are one operator over equal
// operands.
inline constexpr std::size_t kCongruence = SIZE_MAX - 1;

class EGraph {
 public:
  // The node with these operands: the one that is there, or a new one. `name`: of its class, where
  // that has none yet.
  ENodeId add(const Operator& what, std::vector<ClassId> operands, const TensorType& type,
              std::size_t made_by, const std::string& name = {});

  // Their classes are one from now on, by the application of that number. False where they were one
  // already, or have different types.
  bool merge(ENodeId a, ENodeId b, std::size_t by);
  void rebuild();

  ClassId find(ClassId id) const;
  ClassId class_of(ENodeId id) const { return find(ClassId(id.index())); }
  const EClass& at(ClassId id) const { return classes_[find(id).index()]; }
  const ENode& node(ENodeId id) const { return nodes_[id.index()]; }
  const Operator& what(ENodeId id) const { return operators_->at(node(id).what.index()); }
  std::vector<ClassId> operands(ENodeId id) const;  // as they are called now
  // Follows from constants alone, through its operands' classes.
  bool is_weight(ENodeId id) const;
  // Of the operands whose values decide what an operator means; as in core/ir/known_numbers.h.
  KnownNumbers known_numbers(ENodeId id) const;
  std::vector<TensorType> operand_types(ENodeId id) const;

  std::vector<ClassId> classes() const;  // in order of creation
  std::size_t class_count() const { return class_count_; }
  std::size_t node_count() const { return node_count_; }  // each once, those that are banned too
  std::size_t made() const { return nodes_.size(); }      // nodes that ever were
  std::size_t bytes() const;                              // in memory, about

  void ban(ENodeId id) { nodes_[id.index()].is_banned = true; }

  // The reasons on the way between two nodes of one class, each with the nodes that it made equal.
  struct Step {
    ENodeId a, b;
    std::size_t by = kCongruence;
  };
  std::vector<Step> why_equal(ENodeId a, ENodeId b) const;  // REQUIRES: they are in one class

 private:
  struct Key {
    OperatorId what;
    std::vector<ClassId> operands;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct DigestHash {
    std::size_t operator()(const Digest& digest) const { return digest.word(); }
  };
  // The forest of reasons: each node's edge towards the root of its tree.
  struct Edge {
    ENodeId to;
    std::size_t by = kCongruence;
  };

  OperatorId intern(const Operator& what);
  Key key_of(ENodeId id) const { return {node(id).what, operands(id)}; }
  ENodeId make(Key key, const TensorType& type, std::size_t made_by);
  void remember(ENodeId a, ENodeId b, std::size_t by);
  void repair(ClassId id);
  void tidy(ClassId id);
  void refresh(ENodeId id);
  std::vector<ENodeId> way_up(ENodeId id) const;

  // Shared by copies: a search copies e-graphs, and operators never change.
  std::shared_ptr<std::vector<Operator>> operators_ = std::make_shared<std::vector<Operator>>();
  std::shared_ptr<std::unordered_map<Digest, OperatorId, DigestHash>> by_digest_ =
      std::make_shared<std::unordered_map<Digest, OperatorId, DigestHash>>();
  std::vector<ENode> nodes_;
  std::vector<EClass> classes_;  // by id; empty where it is another one's now
  mutable std::vector<ClassId> parent_;
  std::vector<Edge> forest_;
  std::unordered_map<Key, ENodeId, KeyHash> made_;
  std::vector<ClassId> to_repair_;
  std::size_t class_count_ = 0;
  std::size_t node_count_ = 0;
};

}  // namespace pet::egraph
