#include "core/program/counterparts.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "core/program/node_matching.h"

namespace pet {
namespace {

// Nodes of both programs that belong to one change.
class Groups {
 public:
  Groups(std::size_t here, std::size_t there) : first_there_(here), parent_(here + there) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::size_t here(NodeId id) const { return id.index(); }
  std::size_t there(NodeId id) const { return first_there_ + id.index(); }
  std::size_t root(std::size_t i) const { return parent_[i]; }  // REQUIRES: settle() came last
  void join(std::size_t a, std::size_t b) {
    const std::size_t root_a = flat(a), root_b = flat(b);
    parent_[std::max(root_a, root_b)] = std::min(root_a, root_b);
  }
  // A parent has a lower number.
  void settle() {
    for (std::size_t& parent : parent_) parent = parent_[parent];
  }

 private:
  std::size_t flat(std::size_t i) {  // its root; the way there gets shorter
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  std::size_t first_there_;
  std::vector<std::size_t> parent_;
};

class Comparing {
 public:
  Comparing(const Graph& here, const Graph& there, Constants constants)
      : here_(here),
        there_(there),
        matched_(here, there, constants == Constants::TakePart),
        groups_(0, 0) {}

  NodeMatching& matched() { return matched_; }

  Counterparts run(const Provenance& known) {
    uncross();
    group(known);
    for (const NodePair& pair : rewired()) take_apart(pair);
    group(known);
    return result();
  }

 private:
  bool is_changed_here(NodeId id) const {
    return matched_.takes_part_here(id) && !matched_.there_of(id);
  }
  bool is_changed_there(NodeId id) const {
    return matched_.takes_part_there(id) && !matched_.here_of(id);
  }

  void take_apart(const NodePair& pair) {
    matched_.take_apart(pair);
    apart_.push_back(pair);
  }

  // Pairs that are in another order there.
  void uncross() {
    const auto pairs = matched_.pairs();
    order_ = joint_order(here_, there_, {}, pairs);
    for (const JointEntry& entry : order_)
      if (entry.here && !entry.there)
        if (const auto partner = matched_.there_of(*entry.here))
          take_apart({*entry.here, *partner});
  }

  void group(const Provenance& known) {
    groups_ = Groups(here_.nodes().size(), there_.nodes().size());
    for (const NodeId id : here_.ids())
      for (const NodeId operand : here_.node(id).operands)
        if (is_changed_here(id) && is_changed_here(operand))
          groups_.join(groups_.here(id), groups_.here(operand));
    for (const NodeId id : there_.ids())
      for (const NodeId operand : there_.node(id).operands)
        if (is_changed_there(id) && is_changed_there(operand))
          groups_.join(groups_.there(id), groups_.there(operand));
    for (const NodePair& pair : matched_.pairs())
      for (const NodePair& read : matched_.operands(pair)) join_changed(read);
    for (std::size_t i = 0; i < std::min(here_.outputs().size(), there_.outputs().size()); ++i)
      join_changed({here_.outputs()[i], there_.outputs()[i]});
    for (const NodePair& pair : apart_) join_changed(pair);
    for (const Became& one : known) join_known(one);
    groups_.settle();
  }

  void join_changed(const NodePair& pair) {
    if (is_changed_here(pair.first) && is_changed_there(pair.second))
      groups_.join(groups_.here(pair.first), groups_.there(pair.second));
  }

  void join_known(const Became& one) {
    std::vector<std::size_t> nodes;
    for (const NodeId id : one.before)
      if (is_changed_here(id)) nodes.push_back(groups_.here(id));
    for (const NodeId id : one.after)
      if (is_changed_there(id)) nodes.push_back(groups_.there(id));
    for (const std::size_t node : nodes) groups_.join(nodes.front(), node);
  }

  // What the changes read, by the number of a change and the node there.
  using Reads = std::set<std::pair<std::size_t, NodeId>>;

  // Pairs whose operands do not correspond.
  std::vector<NodePair> rewired() const {
    Reads here, there;
    for (const NodeId id : here_.ids())
      if (is_changed_here(id))
        for (const NodeId operand : here_.node(id).operands)
          here.emplace(groups_.root(groups_.here(id)), operand);
    for (const NodeId id : there_.ids())
      if (is_changed_there(id))
        for (const NodeId operand : there_.node(id).operands)
          there.emplace(groups_.root(groups_.there(id)), operand);
    std::set<NodePair> out;
    for (const NodePair& pair : matched_.pairs())
      for (const NodePair& read : matched_.operands(pair))
        if (!corresponds(read, here, there)) out.insert(pair);
    for (const NodePair& pair : other_outputs()) out.insert(pair);
    return {out.begin(), out.end()};
  }

  bool corresponds(const NodePair& values, const Reads& here, const Reads& there) const {
    const auto& [a, b] = values;
    if (matched_.is_same_expression(values)) return true;
    if (!matched_.takes_part_here(a) || !matched_.takes_part_there(b)) return false;
    const auto a_there = matched_.there_of(a), b_here = matched_.here_of(b);
    if (a_there && b_here) return a_there == b;
    if (a_there) return there.contains({groups_.root(groups_.there(b)), *a_there});
    if (b_here) return here.contains({groups_.root(groups_.here(a)), *b_here});
    return true;  // one change yields both
  }

  // Of outputs that are the value of another node there.
  std::vector<NodePair> other_outputs() const {
    std::vector<NodePair> out;
    for (std::size_t i = 0; i < std::min(here_.outputs().size(), there_.outputs().size()); ++i) {
      const NodeId a = here_.outputs()[i], b = there_.outputs()[i];
      const auto a_there = matched_.there_of(a), b_here = matched_.here_of(b);
      if (!a_there || !b_here || *a_there == b) continue;
      out.emplace_back(a, *a_there);
      out.emplace_back(*b_here, b);
    }
    return out;
  }

  Counterparts result() const {
    Counterparts out{matched_.pairs(), {}};
    std::map<std::size_t, std::size_t> numbers;  // of changes, by their roots
    const auto change = [&](std::size_t node) -> Change& {
      const auto [at, is_new] = numbers.try_emplace(groups_.root(node), out.changes.size());
      if (is_new) out.changes.emplace_back();
      return out.changes[at->second];
    };
    for (const JointEntry& entry : order_) {
      if (entry.here && is_changed_here(*entry.here))
        change(groups_.here(*entry.here)).here.push_back(*entry.here);
      if (entry.there && is_changed_there(*entry.there))
        change(groups_.there(*entry.there)).there.push_back(*entry.there);
    }
    for (Change& one : out.changes) {
      std::ranges::sort(one.here);
      std::ranges::sort(one.there);
    }
    return out;
  }

  const Graph& here_;
  const Graph& there_;
  NodeMatching matched_;
  std::vector<NodePair> apart_;  // that stand for each other, but not where they are or on the same
  std::vector<JointEntry> order_;
  Groups groups_;
};

}  // namespace

Counterparts counterparts(const Graph& here, const Graph& there) {
  Comparing comparing(here, there, Constants::Apart);
  comparing.matched().find();
  return comparing.run({});
}

Counterparts counterparts(const Graph& here, const Graph& there, const Provenance& became,
                          Constants constants) {
  Comparing comparing(here, there, constants);
  for (const Became& one : became)
    if (one.before.size() == 1 && one.after.size() == 1)
      comparing.matched().match_if_same({one.before.front(), one.after.front()});
  return comparing.run(became);
}

}  // namespace pet
