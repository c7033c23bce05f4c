#include <fmt/format.h>

#include "viz/graph_layout/folded.h"

namespace pet::viz {
namespace {

constexpr double kCharacter = 7.4;  // width of one, at most
constexpr double kSmallCharacter = 6;
constexpr double kPadding = 12;
constexpr double kNodeHeight = 40;
constexpr double kMargin = 16;
constexpr double kHatch = 6;  // of what is marked, around it
constexpr double kBadge = 16;
constexpr std::size_t kLongest = 48;  // characters of a line

// Never within a character of several bytes.
std::string shortened(const std::string& text) {
  if (text.size() <= kLongest) return text;
  std::size_t end = kLongest - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("{}...", std::string_view(text).substr(0, end));
}

Role border_of(DrawnNode::Kind kind) {
  switch (kind) {
    case DrawnNode::Kind::Set:
    case DrawnNode::Kind::Linear:
      return Role::Corrected;
    case DrawnNode::Kind::Opaque:
    case DrawnNode::Kind::Slot:
      return Role::Unknown;
    case DrawnNode::Kind::Input:
    case DrawnNode::Kind::Other:
      return Role::Frame;
  }
  return Role::Frame;
}

class Painting {
 public:
  explicit Painting(const FoldedGraph& graph) : graph_(graph) {}

  GraphDrawing run(const std::vector<LayoutNode>& sizes, const Layout& layout) {
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) edge(e, layout.routes[e]);
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) label(e, layout.routes[e]);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
      node(graph_.nodes[i], layout.centres[i], sizes[i]);
    out_.scene.width = layout.width + 2 * kMargin;
    out_.scene.height = layout.height + 2 * kMargin;
    return std::move(out_);
  }

 private:
  void edge(std::size_t number, const std::vector<Point>& route) {
    const EdgeWords words =
        number < graph_.words.size() ? graph_.words[number] : EdgeWords{};  // of drawings by hand
    for (std::size_t i = 1; i < route.size(); ++i)
      add(Segment{moved(route[i - 1]), moved(route[i]), Role::Frame}, words.value);
    const Point end = moved(route.back());
    add(Segment{{end.x - 4, end.y - 6}, end, Role::Frame});
    add(Segment{{end.x + 4, end.y - 6}, end, Role::Frame});
  }

  // The shape of what an edge carries, where the node that it comes from does not say the same.
  void label(std::size_t number, const std::vector<Point>& route) {
    if (number >= graph_.words.size()) return;
    const std::string& shape = graph_.words[number].shape;
    if (graph_.nodes[graph_.edges[number].from].detail == shape) return;
    const std::size_t half = route.size() / 2;
    const Point a = moved(route[half - 1]), b = moved(route[half]);
    const Point at{(a.x + b.x) / 2 + 5, (a.y + b.y) / 2 + 3};
    add(Area{{at.x - 2, at.y - 10, kSmallCharacter * static_cast<double>(shape.size()) + 4, 13},
             Role::Background});
    add(Label{at, shape, Align::Left, Role::Faint, 10});
  }

  void node(const DrawnNode& node, const Point& centre, const LayoutNode& size) {
    const Point middle = moved(centre);
    const Rect at{middle.x - size.width / 2, middle.y - size.height / 2, size.width, size.height};
    const bool is_set = node.kind == DrawnNode::Kind::Set;
    out_.places.push_back(at);
    if (node.kind == DrawnNode::Kind::Slot) return slot(node, at);
    if (!node.badge.empty()) hatch_around(at);
    out_.scene.items.push_back({Area{at, is_set ? Role::Equal : Role::Surface}, node.id,
                                fmt::format("{}\n{}", node.title, node.detail)});
    add(Outline{at, node.border.value_or(border_of(node.kind)), is_set || node.border ? 2.0 : 1.0});
    add(Label{{middle.x, at.y + 17}, shortened(node.title), Align::Centre, Role::Text, 12});
    add(Label{{middle.x, at.y + 32},
              shortened(node.detail),
              Align::Centre,
              is_set ? Role::Text : Role::Faint,
              10});
    // Not told by colour alone: what is opaque is framed twice.
    if (node.kind == DrawnNode::Kind::Opaque)
      add(Outline{{at.x + 3, at.y + 3, at.width - 6, at.height - 6}, Role::Unknown});
    if (!node.badge.empty()) badge(node.badge, at);
  }

  // An empty place.
  void slot(const DrawnNode& node, const Rect& at) {
    out_.scene.items.push_back({Area{at, Role::Background}, node.id, node.detail});
    for (const Segment& dash : dashes(at, Role::Unknown)) add(dash);
    add(Label{{at.x + at.width / 2, at.y + at.height / 2 + 4},
              shortened(node.title),
              Align::Centre,
              Role::Faint,
              10});
  }

  void hatch_around(const Rect& at) {
    const Rect around{at.x - kHatch, at.y - kHatch, at.width + 2 * kHatch, at.height + 2 * kHatch};
    add(Area{around, Role::Background});
    for (const Segment& line : hatch(around, Role::Changed, 5)) add(line);
  }

  void badge(const std::string& text, const Rect& at) {
    add(Area{{at.x - kHatch, at.y - kHatch, kBadge, kBadge}, Role::Changed});
    add(Label{{at.x - kHatch + kBadge / 2, at.y - kHatch + 12},
              text,
              Align::Centre,
              Role::Background,
              13});
  }

  void add(std::variant<Area, Outline, Segment, Label> shape, std::string tooltip = {}) {
    out_.scene.items.push_back({std::move(shape), {}, std::move(tooltip)});
  }

  static Point moved(const Point& p) { return {p.x + kMargin, p.y + kMargin}; }

  const FoldedGraph& graph_;
  GraphDrawing out_;
};

}  // namespace

LayoutNode size_of(const DrawnNode& node) {
  const std::size_t characters =
      std::max(shortened(node.title).size(), shortened(node.detail).size());
  return {kCharacter * static_cast<double>(characters) + 2 * kPadding, kNodeHeight};
}

GraphDrawing drawing_in(const FoldedGraph& graph, const std::vector<LayoutNode>& sizes,
                        const Layout& layout) {
  return Painting(graph).run(sizes, layout);
}

GraphDrawing drawing_of(const FoldedGraph& graph) {
  std::vector<LayoutNode> sizes;
  for (const DrawnNode& node : graph.nodes) sizes.push_back(size_of(node));
  return drawing_in(graph, sizes, layered_layout(sizes, graph.edges));
}

Scene graph_scene(const FoldedGraph& graph) { return drawing_of(graph).scene; }

}  // namespace pet::viz
