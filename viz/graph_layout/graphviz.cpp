#include "viz/graph_layout/graphviz.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>

#include "core/backend/process.h"
#include "core/backend/scratch_folder.h"
#include "core/util/printable.h"

namespace pet::viz {
namespace {

constexpr double kPixels = 72;  // an inch, as Graphviz counts

// Within quotes nothing but quotes and backslashes means something there.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string label_of(const DrawnNode& node) {
  std::string title = quoted(node.title), detail = quoted(node.detail);
  title.pop_back();
  return title + "\\n" + detail.substr(1);
}

// Boxes of the sizes in which they are drawn.
std::string to_be_laid_out(const FoldedGraph& graph) {
  std::string out =
      "digraph g {\n graph [splines=polyline nodesep=0.35 ranksep=0.5]\n"
      " node [shape=box fixedsize=true label=\"\"]\n edge [arrowhead=none]\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const LayoutNode size = size_of(graph.nodes[i]);
    out += fmt::format(" n{} [width={:.4f} height={:.4f}]\n", i, size.width / kPixels,
                       size.height / kPixels);
  }
  for (const LayoutEdge& edge : graph.edges)
    out += fmt::format(" n{} -> n{}\n", edge.from, edge.to);
  return out + "}\n";
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  while (!line.empty()) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    out.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
  return out;
}

std::optional<double> number(std::string_view text) {
  double out = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !std::isfinite(out))
    return std::nullopt;
  return out;
}

std::optional<std::size_t> node_number(std::string_view name, std::size_t nodes) {
  std::size_t out = 0;
  if (name.empty() || name[0] != 'n') return std::nullopt;
  const auto read = std::from_chars(name.data() + 1, name.data() + name.size(), out);
  if (read.ec != std::errc() || read.ptr != name.data() + name.size() || out >= nodes)
    return std::nullopt;
  return out;
}

class PlainReader {
 public:
  explicit PlainReader(const FoldedGraph& graph)
      : centres_(graph.nodes.size()), routes_(graph.edges.size()) {
    for (std::size_t e = graph.edges.size(); e-- > 0;)
      open_[{graph.edges[e].from, graph.edges[e].to}].push_back(e);
  }

  bool read(std::string_view line) {
    const auto words = words_of(line);
    if (words.empty() || words[0] == "stop") return true;
    if (words[0] == "graph") return read_size(words);
    if (words[0] == "node") return read_node(words);
    return words[0] == "edge" && read_edge(words);
  }

  std::optional<Layout> take() {
    Layout out;
    out.width = width_;
    out.height = height_;
    for (const auto& centre : centres_) {
      if (!centre) return std::nullopt;
      out.centres.push_back(*centre);
    }
    for (auto& route : routes_) {
      if (route.size() < 2) return std::nullopt;
      out.routes.push_back(std::move(route));
    }
    return out;
  }

 private:
  using Words = std::vector<std::string_view>;

  bool read_size(const Words& words) {
    const auto width = words.size() > 3 ? number(words[2]) : std::nullopt;
    const auto height = words.size() > 3 ? number(words[3]) : std::nullopt;
    if (!width || !height) return false;
    width_ = *width * kPixels;
    height_ = *height * kPixels;
    return true;
  }

  // There y goes up.
  std::optional<Point> point(std::string_view x, std::string_view y) const {
    const auto a = number(x), b = number(y);
    if (!a || !b) return std::nullopt;
    return Point{*a * kPixels, height_ - *b * kPixels};
  }

  bool read_node(const Words& words) {
    if (words.size() < 4) return false;
    const auto node = node_number(words[1], centres_.size());
    const auto at = point(words[2], words[3]);
    if (!node || !at) return false;
    centres_[*node] = at;
    return true;
  }

  // Bezier curves that are straight: every third point is a corner.
  bool read_edge(const Words& words) {
    if (words.size() < 4) return false;
    const auto from = node_number(words[1], centres_.size());
    const auto to = node_number(words[2], centres_.size());
    const auto points = number(words[3]);
    if (!from || !to || !points || *points < 2 ||
        static_cast<double>(words.size()) < 4 + 2 * *points)
      return false;
    const auto open = open_.find({*from, *to});
    if (open == open_.end() || open->second.empty()) return false;
    auto& route = routes_[open->second.back()];
    open->second.pop_back();
    const auto count = static_cast<std::size_t>(*points);
    for (std::size_t i = 0; i < count; i += 3) {
      const auto at = point(words[4 + 2 * i], words[5 + 2 * i]);
      if (!at) return false;
      route.push_back(*at);
    }
    return true;
  }

  double width_ = 0, height_ = 0;
  std::vector<std::optional<Point>> centres_;
  std::vector<std::vector<Point>> routes_;
  // Edges between two nodes that were not read yet, the first one last.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> open_;
};

Error nothing_drawn(const std::string& why) {
  return {"Graphviz (dot) laid nothing out: " + why, ErrorKind::Tool};
}

}  // namespace

std::string to_dot(const FoldedGraph& graph) {
  std::string out =
      "digraph model {\n node [shape=box fontname=\"DejaVu Sans\" fontsize=10]\n"
      " edge [fontname=\"DejaVu Sans\" fontsize=8]\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const bool is_set = graph.nodes[i].kind == DrawnNode::Kind::Set;
    out += fmt::format(" n{} [label={}{}]\n", i, label_of(graph.nodes[i]),
                       is_set ? " style=bold" : "");
  }
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const std::string shape = e < graph.words.size() ? graph.words[e].shape : std::string();
    out += fmt::format(" n{} -> n{}{}\n", graph.edges[e].from, graph.edges[e].to,
                       shape.empty() ? "" : " [label=" + quoted(shape) + "]");
  }
  return out + "}\n";
}

Result<Layout> parse_plain(std::string_view text, const FoldedGraph& graph) {
  PlainReader reader(graph);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!reader.read(text.substr(0, end)))
      return nothing_drawn(fmt::format("line {} of its answer makes no sense", number));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  auto out = reader.take();
  if (!out) return nothing_drawn("its answer lacks nodes or edges");
  return *std::move(out);
}

Result<Layout> graphviz_layout(const FoldedGraph& graph, const std::stop_token& stop) {
  if (graph.nodes.size() > kMostForGraphviz)
    return Error{fmt::format("Graphviz would take minutes for {} nodes (at most {}): fold sets of "
                             "linear operators, or keep the layout of this program",
                             graph.nodes.size(), kMostForGraphviz),
                 ErrorKind::Unsupported};
  const auto folder = ScratchFolder::make("pet-layout");
  if (!folder) return folder.error();
  const auto source = folder->path() / "graph.dot";
  if (!(std::ofstream(source) << to_be_laid_out(graph)).flush())
    return Error{source.string() + ": cannot be written", ErrorKind::Tool};
  auto child = ChildProcess::start({"dot", "-Tplain", source.string()});
  if (!child) return nothing_drawn(child.error().message + "; install it (Debian: graphviz)");
  constexpr std::chrono::minutes kPatience{2};
  std::string all;
  while (true) {
    auto line = child->receive(kPatience, stop);
    if (!line && line.error().kind == ErrorKind::Stopped) return std::move(line).error();
    if (!line) return nothing_drawn(line.error().message + "; install it (Debian: graphviz)");
    if (*line == "stop") break;
    all += *line + "\n";
  }
  return parse_plain(all, graph);
}

}  // namespace pet::viz
