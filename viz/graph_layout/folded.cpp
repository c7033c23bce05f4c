#include "viz/graph_layout/folded.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace pet::viz {
namespace {

constexpr double kCharacter = 7.4;  // width of one, at most
constexpr double kPadding = 12;
constexpr double kNodeHeight = 40;
constexpr double kMargin = 16;
constexpr std::size_t kMostNames = 4;  // of a set that are said
constexpr std::size_t kLongest = 40;   // characters of a line

std::string shortened(const std::string& text) {
  return text.size() <= kLongest
             ? text
             : fmt::format("{}...", std::string_view(text).substr(0, kLongest - 3));
}

std::string shape_of(const Node& node) {
  return node.type.shape ? to_string(*node.type.shape) : "shape not known";
}

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
    fold.title = fmt::format("{} linear operators", fold.nodes.size());
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

Role border_of(DrawnNode::Kind kind) {
  switch (kind) {
    case DrawnNode::Kind::Set:
    case DrawnNode::Kind::Linear:
      return Role::Corrected;
    case DrawnNode::Kind::Opaque:
      return Role::Unknown;
    case DrawnNode::Kind::Input:
    case DrawnNode::Kind::Other:
      return Role::Frame;
  }
  return Role::Frame;
}

class GraphDrawing {
 public:
  GraphDrawing(const FoldedGraph& graph, const std::optional<std::string>& selected)
      : graph_(graph), selected_(selected) {}

  Scene run() {
    std::vector<LayoutNode> sizes;
    for (const DrawnNode& node : graph_.nodes) sizes.push_back(size_of(node));
    const Layout layout = layered_layout(sizes, graph_.edges);
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) edge(layout.routes[e]);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
      node(graph_.nodes[i], layout.centres[i], sizes[i]);
    scene_.width = layout.width + 2 * kMargin;
    scene_.height = layout.height + 2 * kMargin;
    return std::move(scene_);
  }

 private:
  static LayoutNode size_of(const DrawnNode& node) {
    const std::size_t characters =
        std::max(shortened(node.title).size(), shortened(node.detail).size());
    return {kCharacter * static_cast<double>(characters) + 2 * kPadding, kNodeHeight};
  }

  void edge(const std::vector<Point>& route) {
    for (std::size_t i = 1; i < route.size(); ++i)
      scene_.items.push_back({Segment{moved(route[i - 1]), moved(route[i]), Role::Frame}});
    const Point end = moved(route.back());
    scene_.items.push_back({Segment{{end.x - 4, end.y - 6}, end, Role::Frame}});
    scene_.items.push_back({Segment{{end.x + 4, end.y - 6}, end, Role::Frame}});
  }

  void node(const DrawnNode& node, const Point& centre, const LayoutNode& size) {
    const Point middle = moved(centre);
    const Rect at{middle.x - size.width / 2, middle.y - size.height / 2, size.width, size.height};
    const bool is_set = node.kind == DrawnNode::Kind::Set;
    scene_.items.push_back(
        {Area{at, is_set ? Role::Equal : Role::Surface}, node.id, node.title + "\n" + node.detail});
    const bool is_selected = selected_ == node.id;
    scene_.items.push_back(
        {Outline{at, is_selected ? Role::Selected : node.border.value_or(border_of(node.kind)),
                 is_selected             ? 3.0
                 : is_set || node.border ? 2.0
                                         : 1.0}});
    scene_.items.push_back(
        {Label{{middle.x, at.y + 17}, shortened(node.title), Align::Centre, Role::Text, 12}});
    scene_.items.push_back({Label{{middle.x, at.y + 32},
                                  shortened(node.detail),
                                  Align::Centre,
                                  is_set ? Role::Text : Role::Faint,
                                  10}});
    // Not told by colour alone: what is opaque is framed twice.
    if (node.kind == DrawnNode::Kind::Opaque)
      scene_.items.push_back(
          {Outline{{at.x + 3, at.y + 3, at.width - 6, at.height - 6}, Role::Unknown}});
  }

  static Point moved(const Point& p) { return {p.x + kMargin, p.y + kMargin}; }

  const FoldedGraph& graph_;
  const std::optional<std::string>& selected_;
  Scene scene_;
};

}  // namespace

FoldedGraph folded(const Graph& program, const std::vector<std::optional<std::size_t>>& sets,
                   const std::set<std::size_t>& open) {
  return Folding(program, sets, open).run();
}

Scene graph_scene(const FoldedGraph& graph, const std::optional<std::string>& selected) {
  return GraphDrawing(graph, selected).run();
}

}  // namespace pet::viz
