#include "viz/graph_layout/folded.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/util/plural.h"

namespace pet::viz {
namespace {

constexpr std::size_t kMostNames = 4;  // of a set that are said

class Folding {
 public:
  Folding(const Graph& program, const std::vector<std::optional<std::size_t>>& sets,
          const std::set<std::size_t>& open)
      : program_(program),
        sets_(sets),
        open_(open),
        live_(program.depends_on_inputs()),
        drawn_(program.nodes().size()) {
    for (const auto& set : sets)
      if (set) ++sizes_[*set];
  }

  FoldedGraph run() {
    for (const NodeId id : program_.ids())
      if (live_[id.index()] != 0) draw(id);
    for (DrawnNode& node : out_.nodes)
      if (node.kind == DrawnNode::Kind::Set) name(node);
    for (const NodeId id : program_.ids()) {
      if (live_[id.index()] == 0) continue;
      for (const NodeId operand : program_.node(id).operands) connect(operand, id);
    }
    return std::move(out_);
  }

 private:
  bool is_folded(std::optional<std::size_t> set) const {
    return set && sizes_.at(*set) > 1 && !open_.contains(*set);
  }

  void draw(NodeId id) {
    const auto set = sets_[id.index()];
    if (is_folded(set)) {
      const auto [at, is_new] = folds_.try_emplace(*set, out_.nodes.size());
      if (is_new)
        out_.nodes.push_back({DrawnNode::Kind::Set, fmt::format("set:{}", *set), {}, {}, {}, set});
      out_.nodes[at->second].nodes.push_back(id);
      drawn_[id.index()] = at->second;
      return;
    }
    drawn_[id.index()] = out_.nodes.size();
    const Node& node = program_.node(id);
    const Op* op = node.op();
    const auto kind = node.operands.empty() && op == nullptr ? DrawnNode::Kind::Input
                      : op == nullptr                        ? DrawnNode::Kind::Opaque
                      : set                                  ? DrawnNode::Kind::Linear
                                                             : DrawnNode::Kind::Other;
    std::string title = op != nullptr ? op->def->name : node.name;
    out_.nodes.push_back(
        {kind, fmt::format("node:{}", id.index()), std::move(title), shape_of(node), {id}, set});
  }

  void name(DrawnNode& fold) const {
    fold.title = plural(fold.nodes.size(), "linear operator");
    for (std::size_t i = 0; i < std::min(kMostNames, fold.nodes.size()); ++i)
      fold.detail +=
          fmt::format("{}{}", i == 0 ? "" : ", ", program_.node(fold.nodes[i]).op()->def->name);
    if (fold.nodes.size() > kMostNames)
      fold.detail += fmt::format(" and {} more", fold.nodes.size() - kMostNames);
  }

  void connect(NodeId from, NodeId to) {
    if (live_[from.index()] == 0) return;
    const LayoutEdge edge{drawn_[from.index()], drawn_[to.index()]};
    if (edge.from == edge.to || !known_.insert({edge.from, edge.to, from.index()}).second) return;
    out_.edges.push_back(edge);
    const Node& value = program_.node(from);
    out_.words.push_back(
        {shape_of(value), fmt::format("{}\n{}", value.name, to_string(value.type))});
  }

  const Graph& program_;
  const std::vector<std::optional<std::size_t>>& sets_;
  const std::set<std::size_t>& open_;
  const std::vector<char> live_;
  std::vector<std::size_t> drawn_;                    // by node: the drawn one
  std::map<std::size_t, std::size_t> sizes_, folds_;  // by set
  std::set<std::tuple<std::size_t, std::size_t, std::size_t>> known_;
  FoldedGraph out_;
};

}  // namespace

std::string shape_of(const Node& node) {
  return node.type.shape ? to_string(*node.type.shape) : "shape not known";
}

FoldedGraph folded(const Graph& program, const std::vector<std::optional<std::size_t>>& sets,
                   const std::set<std::size_t>& open) {
  return Folding(program, sets, open).run();
}

}  // namespace pet::viz
