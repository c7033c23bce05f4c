// Nodes of two programs in pairs: the same operator with the same attributes, type and constants,
// at what seems to be the same place.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "core/program/joint_order.h"

namespace pet {

class NodeMatching {
 public:
  // REQUIRES: both outlive this
  NodeMatching(const Graph& here, const Graph& there, bool constants_take_part);

  void find();
  // Only where both are the same, and have no partner yet.
  void match_if_same(const NodePair& pair);
  void take_apart(const NodePair& pair);  // REQUIRES: it is a pair

  std::vector<NodePair> pairs() const;  // in order of the first
  std::optional<NodeId> there_of(NodeId here) const { return sides_[0].partner[here.index()]; }
  std::optional<NodeId> here_of(NodeId there) const { return sides_[1].partner[there.index()]; }
  // It follows from more than constants, or they take part, too.
  bool takes_part_here(NodeId id) const { return sides_[0].takes_part[id.index()] != 0; }
  bool takes_part_there(NodeId id) const { return sides_[1].takes_part[id.index()] != 0; }
  // Both follow from the inputs in the same way.
  bool is_same_expression(const NodePair& pair) const;
  // What stands at the same place of both; where the order does not matter, partners first.
  std::vector<NodePair> operands(const NodePair& pair) const;

 private:
  struct Side {
    const Graph* graph = nullptr;
    std::vector<char> takes_part, commutes;
    std::vector<std::vector<NodeId>> readers;
    std::vector<Digest> expression;  // from the inputs; inputs that stand for each other are one
    std::vector<Digest> kind;        // what it is and what constants it reads
    std::vector<std::optional<NodeId>> partner;
  };
  // A node that has no partner, and what one has to agree with.
  struct Candidate {
    std::size_t place = 0;
    Digest kind;
    NodeId id;
    auto operator<=>(const Candidate&) const = default;
  };
  using Candidates = std::vector<Candidate>;

  static Side side_of(const Graph& graph, bool constants_take_part);
  void match(const NodePair& pair);
  void match_inputs();
  void set_expressions(Side& side, std::size_t number);
  static void set_kinds(Side& side);

  void match_expressions();
  void match_by_constants();
  void match_outputs();
  void match_names();
  void spread();  // to what is beside pairs

  Candidates operands_of(const Side& side, NodeId id) const;
  Candidates readers_of(const Side& side, NodeId id) const;
  // Those that agree with one of the other side alone; of several those that have the same name.
  void match_alike(Candidates here, Candidates there);
  void match_named(const std::vector<NodeId>& here, const std::vector<NodeId>& there);

  Side sides_[2];
  std::deque<NodePair> fresh_;  // pairs whose neighbours have not been looked at
};

}  // namespace pet
