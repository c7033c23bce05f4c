#include "core/egraph/tree_search.h"

#include <algorithm>
#include <cmath>

namespace pet::egraph {

TreeSearch::TreeSearch(Program original, rules::Rewriter& rewriter, std::set<std::size_t> left_out,
                       SaturationLimits limits, TreeLimits tree, std::uint64_t seed, Cost cost,
                       TreeHooks hooks)
    : rewriter_(rewriter),
      left_out_(std::move(left_out)),
      limits_(limits),
      tree_limits_(tree),
      cost_(std::move(cost)),
      hooks_(std::move(hooks)),
      rng_(seed) {
  root_ = add(std::move(original), 0, 0);
  close(root_);
  original_cost_ = tree_[root_].cost;
}

// Those whose sources stand there by their structure: no other can change anything.
std::vector<std::size_t> TreeSearch::rules_for(const Program& program) const {
  std::vector<std::size_t> out;
  const Index index(program.graph);
  for (std::size_t rule = 0; rule < rewriter_.rules().size(); ++rule) {
    if (left_out_.contains(rule)) continue;
    const auto& pattern = rewriter_.rules()[rule].pattern;
    if (!matches_of(program.graph, index, pattern, 1).matches.empty()) out.push_back(rule);
  }
  return out;
}

std::size_t TreeSearch::add(Program program, std::size_t parent, std::size_t rule) {
  TreeNode node;
  node.number = reached_++;
  node.cost = cost_(program);
  node.parent = parent;
  node.rule = rule;
  if (program.graph.node_count() < limits_.nodes) node.untried = rules_for(program);
  node.program = std::make_shared<const Program>(std::move(program));
  tree_.push_back(std::move(node));
  return tree_.size() - 1;
}

void TreeSearch::step() {
  if (is_over()) return;
  if (tree_[root_].program->graph.node_count() >= limits_.nodes) {
    end_ = SaturationEnd::Nodes;
  } else if (!tree_[root_].is_explored && walks_ < tree_limits_.budget) {
    ++walks_;
    walk();
  } else if (tree_[root_].children.empty() && tree_[root_].is_explored) {
    end_ = SaturationEnd::Saturated;
  } else {
    take_action();
  }
}

void TreeSearch::walk() {
  const std::size_t at = select();
  const auto child = expand(at);
  if (child) update(*child, simulate(tree_[*child]));
  close(child.value_or(at));
}

std::vector<std::size_t> TreeSearch::open_children(const TreeNode& node) const {
  std::vector<std::size_t> out;
  for (const std::size_t child : node.children)
    if (!tree_[child].is_explored) out.push_back(child);
  return out;
}

// Down to a node from which something is to be tried: each node ends it by the coin, a leaf always.
std::size_t TreeSearch::select() {
  std::size_t at = root_;
  for (;;) {
    const auto children = open_children(tree_[at]);
    if (children.empty()) return at;
    const bool ends_here = rng_.uniform() < tree_limits_.coin;
    if (ends_here && !tree_[at].untried.empty()) return at;
    at = best_of(tree_[at], children);
  }
}

double ucb1(double value, std::size_t visits, std::size_t visits_of_parent, double exploration) {
  const auto n = static_cast<double>(std::max<std::size_t>(visits, 1));
  const auto all = static_cast<double>(std::max<std::size_t>(visits_of_parent, 1));
  return value / n + exploration * std::sqrt(std::log(all) / n);
}

std::size_t TreeSearch::best_of(const TreeNode& node,
                                const std::vector<std::size_t>& children) const {
  const auto ucb = [&](std::size_t child) {
    return ucb1(tree_[child].value, tree_[child].visits, node.visits, tree_limits_.exploration);
  };
  return *std::ranges::max_element(children, {}, ucb);
}

// A rule by chance. Nothing: it changes nothing here, and is not tried again.
std::optional<std::size_t> TreeSearch::expand(std::size_t node) {
  auto& untried = tree_[node].untried;
  if (untried.empty()) return std::nullopt;
  const auto chosen = untried.begin() + static_cast<std::ptrdiff_t>(rng_.below(untried.size()));
  const std::size_t rule = *chosen;
  untried.erase(chosen);
  Program program = *tree_[node].program;
  const RuleApplication done = apply_everywhere(program, rewriter_, rule, limits_);
  if (done.merged + done.made == 0) {
    hooks_.reached({reached_++, tree_[node].number, rule, tree_[node].cost, true});
    return std::nullopt;
  }
  const std::size_t child = add(std::move(program), node, rule);
  tree_[node].children.push_back(child);
  hooks_.reached({tree_[child].number, tree_[node].number, rule, tree_[child].cost, false});
  return child;
}

// By how much of the original the best program becomes cheaper, from the node before this one on.
double TreeSearch::simulate(const TreeNode& from) {
  double before = tree_[from.parent].cost, cost = from.cost, reward = 0;
  const auto gain = [&] {
    if (original_cost_ > 0) reward += std::max(before - cost, 0.0) / original_cost_;
    before = cost;
  };
  gain();
  Program program = *from.program;
  std::vector<std::size_t> rules = from.untried;
  for (std::size_t i = 0; i < tree_limits_.depth && !rules.empty(); ++i) {
    if (program.graph.node_count() >= limits_.nodes) break;
    const std::size_t rule = rules[rng_.below(rules.size())];
    const RuleApplication done = apply_everywhere(program, rewriter_, rule, limits_);
    if (done.merged + done.made == 0) {
      std::erase(rules, rule);
      continue;
    }
    cost = cost_(program);
    gain();
    rules = rules_for(program);
  }
  return reward;
}

void TreeSearch::update(std::size_t node, double reward) {
  for (std::size_t at = node;; at = tree_[at].parent) {
    ++tree_[at].visits;
    tree_[at].value += reward;
    hooks_.updated({tree_[at].number, tree_[at].visits, tree_[at].value});
    if (at == root_) return;
  }
}

void TreeSearch::close(std::size_t node) {
  while (tree_[node].untried.empty() && open_children(tree_[node]).empty()) {
    tree_[node].is_explored = true;
    if (node == root_) return;
    node = tree_[node].parent;
  }
}

void TreeSearch::take_action() {
  const auto& children = tree_[root_].children;
  if (children.empty()) {  // rules are left, none of which was tried
    walks_ = 0;
    return;
  }
  const auto mean = [&](std::size_t child) {
    return tree_[child].value / static_cast<double>(std::max<std::size_t>(tree_[child].visits, 1));
  };
  const std::size_t best = *std::ranges::max_element(children, {}, mean);
  hooks_.taken({tree_[best].number, tree_[best].rule, mean(best)});
  ++actions_;
  walks_ = 0;
  if (tree_limits_.reuse) {
    root_ = best;
    return;
  }
  TreeNode next = std::move(tree_[best]);
  next.parent = 0;
  next.children.clear();
  next.visits = 0;
  next.value = 0;
  next.is_explored = false;
  if (next.program->graph.node_count() < limits_.nodes) next.untried = rules_for(*next.program);
  tree_.clear();
  tree_.push_back(std::move(next));
  root_ = 0;
  close(root_);
}

}  // namespace pet::egraph
