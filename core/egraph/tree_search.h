// Monte Carlo tree search over e-graphs (Hartmann et al., PACT'24, section 4.1, Algorithm 1). A
// node of the tree is an e-graph, an action is one rule at all its matches. Walk after walk goes
// down the tree, adds a node, tries rules by chance from there, and is rewarded by how much cheaper
// the best program becomes; after a budget of walks the action with the best mean is taken for
// good, and the tree is grown anew from there, until nothing changes any more or the e-graph is
// full.
//
// The same seed, rules and limits: the same tree.
#pragma once

#include <functional>
#include <memory>
#include <set>

#include "core/egraph/saturation.h"
#include "core/util/rng.h"

namespace pet::egraph {

// What happens in the tree. Nodes are numbered through, over all trees of a search.
struct NodeReached {
  std::size_t node = 0, parent = 0, rule = 0;
  double cost = 0;
  bool is_saturated = false;  // the rule changed nothing: it is not entered
};
struct NodeUpdated {
  std::size_t node = 0, visits = 0;
  double value = 0;  // the sum of rewards: shares of what the original costs
};
struct ActionTaken {
  std::size_t node = 0, rule = 0;
  double mean = 0;
};
struct TreeHooks {
  std::function<void(const NodeReached&)> reached = [](const auto&) {};
  std::function<void(const NodeUpdated&)> updated = [](const auto&) {};
  std::function<void(const ActionTaken&)> taken = [](const auto&) {};
};

class TreeSearch {
 public:
  // What the cheapest program costs that an e-graph holds, as far as that is looked for.
  using Cost = std::function<double(const Program&)>;

  // `left_out`: rules that are not used. REQUIRES: `rewriter` outlives this
  TreeSearch(Program original, rules::Rewriter& rewriter, std::set<std::size_t> left_out,
             SaturationLimits limits, TreeLimits tree, std::uint64_t seed, Cost cost,
             TreeHooks hooks);

  // One walk, or the choice of an action.
  void step();
  bool is_over() const { return end_.has_value(); }
  const std::optional<SaturationEnd>& end() const { return end_; }
  // What the actions that were taken have made of the original.
  const Program& program() const { return *tree_[root_].program; }
  std::size_t actions() const { return actions_; }
  std::size_t walks() const { return walks_; }  // since the last action

 private:
  struct TreeNode {
    std::size_t number = 0;  // for hooks
    std::shared_ptr<const Program> program;
    double cost = 0;
    std::size_t parent = 0;             // of the root: itself
    std::size_t rule = 0;               // that led here
    std::vector<std::size_t> children;  // what its rules changed something to
    std::vector<std::size_t> untried;   // rules that may change something
    std::size_t visits = 0;
    double value = 0;
    bool is_explored = false;  // nothing is left to be tried here or below
  };

  std::vector<std::size_t> rules_for(const Program& program) const;
  std::size_t add(Program program, std::size_t parent, std::size_t rule);
  void walk();
  std::size_t select();
  std::size_t best_of(const TreeNode& node, const std::vector<std::size_t>& children) const;
  std::optional<std::size_t> expand(std::size_t node);
  double simulate(const TreeNode& from);
  void update(std::size_t node, double reward);
  void take_action();
  std::vector<std::size_t> open_children(const TreeNode& node) const;
  void close(std::size_t node);  // where it is explored, and what is so by that

  rules::Rewriter& rewriter_;
  const std::set<std::size_t> left_out_;
  const SaturationLimits limits_;
  const TreeLimits tree_limits_;
  const Cost cost_;
  const TreeHooks hooks_;
  Rng rng_;
  double original_cost_ = 0;
  std::vector<TreeNode> tree_;
  std::size_t root_ = 0;
  std::size_t reached_ = 0;  // nodes, over all trees
  std::size_t walks_ = 0;
  std::size_t actions_ = 0;
  std::optional<SaturationEnd> end_;
};

}  // namespace pet::egraph
