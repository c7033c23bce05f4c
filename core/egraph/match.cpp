#include "core/egraph/match.h"

#include <algorithm>

#include "core/analysis/commutative.h"
#include "core/rewrite/same_meaning.h"

namespace pet::egraph {
namespace {

// Classes by node of a pattern: what stands for what.
using Binding = std::vector<std::optional<ClassId>>;

constexpr std::size_t kMostSteps = 4'000'000;  // of looking, for one result of one rule

// Every way to find one result of a source.
class Finder {
 public:
  Finder(const EGraph& graph, const rules::Pattern& pattern, std::size_t most)
      : graph_(graph), pattern_(pattern), most_(most), binding_(pattern.source.nodes().size()) {}

  void look_at(NodeId sink, ENodeId node) {
    std::vector<Pair> open = {{sink, graph_.class_of(node), node}};
    look(std::move(open));
  }
  bool is_over() const { return steps_ > kMostSteps || found_.size() >= most_; }
  std::set<Binding> take() && { return std::move(found_); }

 private:
  // A node of the pattern, and the class that may stand for it, by this node of it alone or by any.
  struct Pair {
    NodeId of_pattern;
    ClassId value;
    std::optional<ENodeId> by = {};
  };

  // Patterns are small, and rule files bound how deep they are.
  void look(std::vector<Pair> open) {
    if (++steps_, is_over()) return;
    if (open.empty()) {
      found_.insert(binding_);
      return;
    }
    const Pair at = open.back();
    open.pop_back();
    auto& known = binding_[at.of_pattern.index()];
    if (known) {
      if (*known == at.value) look(std::move(open));
      return;
    }
    known = at.value;
    with(at, open);
    binding_[at.of_pattern.index()].reset();
  }

  void with(const Pair& at, const std::vector<Pair>& open) {
    const Node& node = pattern_.source.node(at.of_pattern);
    const EClass& value = graph_.at(at.value);
    if (node.op() == nullptr) {
      if (may_be_leaf(node, value)) look(open);
      return;
    }
    if (at.by) return with_node(at, *at.by, open);
    for (const ENodeId by : value.nodes) with_node(at, by, open);
  }

  static bool may_be_leaf(const Node& leaf, const EClass& value) {
    return value.type.dtype == DType::Float && value.type.shape &&
           value.type.shape->size() == leaf.type.shape->size() &&
           (leaf.input() != nullptr || value.is_weight);
  }

  void with_node(const Pair& at, ENodeId by, const std::vector<Pair>& open) {
    const Node& node = pattern_.source.node(at.of_pattern);
    const Op* op = graph_.what(by).op();
    if (op == nullptr || op->def != node.op()->def || graph_.node(by).is_banned) return;
    std::vector<ClassId> values = graph_.operands(by);
    if (values.size() != node.operands.size()) return;
    for (int order = 0; order < 2; ++order) {
      std::vector<Pair> longer = open;
      for (std::size_t i = values.size(); i-- > 0;) longer.push_back({node.operands[i], values[i]});
      look(std::move(longer));
      if (pattern_.commutes[at.of_pattern.index()] == 0) break;
      std::ranges::reverse(values);
    }
  }

  const EGraph& graph_;
  const rules::Pattern& pattern_;
  const std::size_t most_;
  Binding binding_;
  std::set<Binding> found_;
  std::size_t steps_ = 0;
};

// What both say of the same nodes, joined; nothing where they disagree.
std::optional<Binding> joined(const Binding& a, const Binding& b) {
  Binding out = a;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!b[i]) continue;
    if (out[i] && *out[i] != *b[i]) return std::nullopt;
    out[i] = b[i];
  }
  return out;
}

// The nodes of a pattern that both bind.
std::vector<std::size_t> shared(const Binding& a, const Binding& b) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] && b[i]) out.push_back(i);
  return out;
}

std::vector<ClassId> values_at(const Binding& binding, const std::vector<std::size_t>& places) {
  std::vector<ClassId> out;
  for (const std::size_t i : places) out.push_back(*binding[i]);
  return out;
}

std::vector<Binding> join(const std::vector<Binding>& a, const std::set<Binding>& b,
                          std::size_t most) {
  std::vector<Binding> out;
  if (a.empty() || b.empty()) return out;
  const auto places = shared(a.front(), *b.begin());
  std::map<std::vector<ClassId>, std::vector<const Binding*>> by_shared;
  for (const Binding& one : b) by_shared[values_at(one, places)].push_back(&one);
  for (const Binding& one : a) {
    const auto others = by_shared.find(values_at(one, places));
    if (others == by_shared.end()) continue;
    for (const Binding* other : others->second) {
      if (out.size() >= most) return out;
      if (auto both = joined(one, *other)) out.push_back(*std::move(both));
    }
  }
  return out;
}

std::optional<Match> match_of(const rules::Pattern& pattern, const Binding& binding) {
  Match out;
  for (const NodeId id : pattern.source.inputs()) {
    // An input that the source does not read has no place.
    if (!binding[id.index()]) return std::nullopt;
    out.inputs.push_back(*binding[id.index()]);
  }
  for (const NodeId id : pattern.source.outputs()) {
    if (!binding[id.index()]) return std::nullopt;
    out.outputs.push_back(*binding[id.index()]);
  }
  return out;
}

// Whether a program over given classes is among the nodes.
class Comparer {
 public:
  Comparer(const EGraph& graph, const Match& match, const Graph& source)
      : graph_(graph), source_(source) {
    for (std::size_t i = 0; i < source.inputs().size(); ++i)
      inputs_.emplace(source.inputs()[i], graph.find(match.inputs[i]));
  }

  // Sources are small, and rule files bound how deep they are.
  bool is_same(NodeId of_source, ClassId value) {
    const std::pair key(of_source, value);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    known_.emplace(key, false);
    return known_[key] = looks_same(of_source, value);
  }

  Standing standing(const std::vector<std::pair<NodeId, ClassId>>& results) const {
    Standing out;
    std::set<std::pair<NodeId, ClassId>> seen;
    std::vector<std::pair<NodeId, ClassId>> open = results;
    while (!open.empty()) {
      const auto at = open.back();
      open.pop_back();
      const auto by = by_.find(at);
      if (!seen.insert(at).second || by == by_.end()) continue;
      const auto& [node, is_exchanged] = by->second;
      out.nodes.push_back(node);
      out.relies_on.emplace_back(ENodeId(at.second.index()), node);
      for (std::size_t i = 0; i < source_.node(at.first).operands.size(); ++i) {
        const std::size_t place = is_exchanged ? 1 - i : i;
        const ClassId called = graph_.node(node).operands[place];
        const std::pair operand(source_.node(at.first).operands[i], graph_.find(called));
        const auto of_operand = by_.find(operand);
        out.relies_on.emplace_back(ENodeId(called.index()), of_operand != by_.end()
                                                                ? of_operand->second.first
                                                                : ENodeId(operand.second.index()));
        open.push_back(operand);
      }
    }
    return out;
  }

 private:
  bool looks_same(NodeId of_source, ClassId value) {
    const Node& node = source_.node(of_source);
    if (node.input() != nullptr) return inputs_.at(of_source) == value;
    if (graph_.at(value).type != node.type) return false;
    for (const ENodeId by : graph_.at(value).nodes) {
      if (graph_.node(by).is_banned || !is_same_operator(of_source, by)) continue;
      const auto operands = graph_.operands(by);
      bool is_exchanged = false;
      bool is_it = are_same(node.operands, operands);
      if (!is_it && operands.size() == 2 && is_commutative(source_, of_source))
        is_it = is_exchanged = are_same(node.operands, {operands[1], operands[0]});
      if (!is_it) continue;
      by_.emplace(std::pair(of_source, value), std::pair(by, is_exchanged));
      return true;
    }
    return false;
  }

  bool is_same_operator(NodeId of_source, ENodeId by) const {
    const Node& node = source_.node(of_source);
    const Operator& what = graph_.what(by);
    if (node.constant() != nullptr)
      return what.constant() != nullptr && what.constant()->digest() == node.constant()->digest();
    if (what.op() == nullptr || what.op()->def != node.op()->def ||
        graph_.node(by).operands.size() != node.operands.size())
      return false;
    // Equal operators on equal types mean the same, but for what numbers decide.
    if (*what.op() == *node.op() && !node.op()->def->by_numbers) return true;
    return source_.has_meaning(of_source) && means(by, source_.meaning(of_source));
  }

  bool means(ENodeId by, const Meaning& meaning) const {
    std::vector<Shape> shapes;
    for (const TensorType& type : graph_.operand_types(by)) {
      if (!type.shape) return false;
      shapes.push_back(*type.shape);
    }
    const auto own = meaning_of(*graph_.what(by).op(), shapes, graph_.known_numbers(by));
    return own.ok() && is_same_meaning(*own, meaning);
  }

  bool are_same(const std::vector<NodeId>& a, const std::vector<ClassId>& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!is_same(a[i], b[i])) return false;
    return a.size() == b.size();
  }

  const EGraph& graph_;
  const Graph& source_;
  std::map<NodeId, ClassId> inputs_;
  std::map<std::pair<NodeId, ClassId>, bool> known_;
  std::map<std::pair<NodeId, ClassId>, std::pair<ENodeId, bool>> by_;  // and whether exchanged
};

}  // namespace

Index::Index(const EGraph& graph) {
  for (const ClassId id : graph.classes()) {
    for (const ENodeId node : graph.at(id).nodes) {
      const Op* op = graph.what(node).op();
      if (op != nullptr && op->def->lower != nullptr && !graph.node(node).is_banned)
        by_operator_[op->def].push_back(node);
    }
  }
  for (auto& [def, nodes] : by_operator_) std::ranges::sort(nodes);
}

const std::vector<ENodeId>& Index::of(const OpDef& def) const {
  static const std::vector<ENodeId> none;
  const auto it = by_operator_.find(&def);
  return it == by_operator_.end() ? none : it->second;
}

Found matches_of(const EGraph& graph, const Index& index, const rules::Pattern& pattern,
                 std::size_t most) {
  std::vector<Binding> found = {Binding(pattern.source.nodes().size())};
  Found out;
  for (const NodeId sink : pattern.sinks) {
    Finder finder(graph, pattern, most);
    for (const ENodeId node : index.of(*pattern.source.node(sink).op()->def)) {
      if (finder.is_over()) break;
      finder.look_at(sink, node);
    }
    out.is_cut = out.is_cut || finder.is_over();
    found = join(found, std::move(finder).take(), most);
    out.is_cut = out.is_cut || found.size() >= most;
  }
  std::set<Match> matches;
  for (const Binding& binding : found)
    if (auto match = match_of(pattern, binding)) matches.insert(*std::move(match));
  out.matches.assign(matches.begin(), matches.end());
  return out;
}

std::optional<Standing> standing(const EGraph& graph, const Match& match, const Graph& source) {
  Comparer comparer(graph, match, source);
  std::vector<std::pair<NodeId, ClassId>> results;
  for (std::size_t i = 0; i < match.outputs.size(); ++i) {
    results.emplace_back(source.outputs()[i], graph.find(match.outputs[i]));
    if (!comparer.is_same(results.back().first, results.back().second)) return std::nullopt;
  }
  return comparer.standing(results);
}

}  // namespace pet::egraph
